// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// Several sessions are logged behind the same words, and no line tells them apart. What may belong
/// to either is joined with neither.
extension LogConversations {
  /// The conversation of a request whose id still waits for an answer in the last one: it is of
  /// another session, unless the log has the beginning of the last one and there is no other.
  mutating func conversationOfReusedRequest(
    _ name: LogConversationName, _ last: Int, _ candidate: LogCandidate, _ match: LogMatch,
    _ sink: any EvidenceSink
  ) -> Int {
    if let before = table.names.former[name] {
      markMixed(before, and: last, candidate, sink)
      if !table.all[before].exchanges.awaits(candidate.recognition.opens) { return before }
      return conversationOfEither(name, candidate, match, sink)
    }
    if table.all[last].session.phase == .open && !table.all[last].doubts.isMixed {
      reportReuse(last, candidate, sink)
      return last
    }
    table.names.former[name] = last
    let new = open(candidate, match, sink)
    table.names.assign(name, new)
    markMixed(last, and: new, candidate, sink)
    return new
  }

  private mutating func reportReuse(
    _ conversation: Int, _ candidate: LogCandidate, _ sink: any EvidenceSink
  ) {
    guard table.all[conversation].doubts.reported.insert(.reuse).inserted else { return }
    note(
      "a request has the number of one that still waits for its answer: this is taken for the same"
        + " session, as the log has the beginning of no other", conversation, candidate, sink)
  }

  /// A session begins while another has not ended: a new attempt, or a second client. Only ids that
  /// count up show it later; in a dialect without them, nothing can.
  mutating func noteOverlap(
    of before: Int, and new: Int, _ candidate: LogCandidate, _ sink: any EvidenceSink
  ) {
    let isCounted = candidate.recognition.isCounted
    if !isCounted { table.all[new].doubts.hasSeveralSessions = true }
    note(
      "a session begins while another has not ended: this is taken for a new attempt of the same"
        + " client; if it is a second one, what follows may be of either"
        + (isCounted ? "" : ", so nothing is judged that depends on it"), new, candidate, sink)
    if isCounted { return }
    // Messages of the former session may be shown with the later one.
    table.all[before].doubts.hasSeveralSessions = true
    sink.gap(nil, Delivery(table.origin(candidate.origin, in: before)))
  }

  /// Several connections are open, and messages of any of them stand in one conversation.
  mutating func noteSeveralSessions(
    _ index: Int, _ candidate: LogCandidate, _ sink: any EvidenceSink
  ) {
    if table.all[index].doubts.hasSeveralSessions { return }
    table.all[index].doubts.hasSeveralSessions = true
    let origin = table.origin(candidate.origin, in: index)
    sink.gap(nil, Delivery(origin))
    guard table.all[index].doubts.reported.insert(.mixing).inserted else { return }
    sink.finding(
      .sessionsMixed(
        "several connections are open at once, and no line identifies its connection: they are"
          + " shown as one, and nothing is judged that depends on it", .warning, origin))
  }

  /// Reports what was decided about a conversation, and may be wrong.
  private func note(
    _ text: String, _ conversation: Int, _ candidate: LogCandidate, _ sink: any EvidenceSink
  ) {
    let origin = table.origin(candidate.origin, in: conversation)
    sink.finding(
      table.all[conversation].doubts.hasSeveralSessions
        ? .sessionsMixed(text, .note, origin) : Finding(.logMixed, .note, origin, text))
  }

  /// The conversation that is kept apart for messages which either session may wait for, or
  /// neither.
  mutating func conversationOfEither(
    _ name: LogConversationName, _ candidate: LogCandidate, _ match: LogMatch,
    _ sink: any EvidenceSink
  ) -> Int {
    var unsure = name
    unsure.isUnsure = true
    if let known = table.names[unsure] { return known }
    let new = open(candidate, match, mixing: .all, sink)
    table.names.assign(unsure, new)
    sink.gap(nil, Delivery(table.origin(candidate.origin, in: new)))
    table.all[new].doubts.isMixed = true
    table.all[new].doubts.reported.insert(.mixing)
    return new
  }

  /// The session without an id that a message belongs to: the oldest of those whose turn it is, or
  /// else that has no answer yet. Those that are asked who they are may be answered in any order.
  mutating func oldest(
    of waiting: [Int], for candidate: LogCandidate, _ match: LogMatch, _ sink: any EvidenceSink
  ) -> Int {
    let fitting =
      match.direction == .unsaid
      ? [] : waiting.filter { table.all[$0].session.awaits(match.direction) }
    guard let first = fitting.first else {
      return waiting.first { !table.all[$0].session.isAnswered } ?? waiting[0]
    }
    if fitting.count > 1 && fitting.contains(where: { table.all[$0].session.isAnswered }) {
      for index in fitting { table.all[index].doubts.mayBeOfOthers = true }
      if table.all[first].doubts.reported.insert(.mixing).inserted {
        sink.finding(
          .sessionsMixed(
            "several sessions begin at once, and no line identifies its session: a message is"
              + " shown with the oldest that it may belong to, and nothing is judged that depends"
              + " on it", .warning, table.origin(candidate.origin, in: first)))
      }
    }
    if table.all[first].doubts.mayBeOfOthers {
      sink.gap(nil, Delivery(table.origin(candidate.origin, in: first)))
    }
    return first
  }

  /// Two sessions go on at once, and no line says which of them it is about.
  mutating func markMixed(
    _ before: Int, and last: Int, _ candidate: LogCandidate, _ sink: any EvidenceSink
  ) {
    for index in [before, last] where !table.all[index].doubts.isMixed {
      let origin = table.origin(candidate.origin, in: index)
      sink.gap(nil, Delivery(origin))
      table.all[index].doubts.isMixed = true
      table.all[index].doubts.reported.insert(.mixing)
      if !candidate.recognition.isCounted { table.all[index].doubts.hasSeveralSessions = true }
      if index == before { continue }
      sink.finding(
        .sessionsMixed(
          "two sessions overlap, and no line identifies its session: answers that fit both are"
            + " shown apart, other messages with the later session", .warning, origin))
    }
  }
}
