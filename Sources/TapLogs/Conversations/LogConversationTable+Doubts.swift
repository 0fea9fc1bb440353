// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// Several sessions are logged behind the same words, and no line tells them apart. What is not
/// certain about a conversation is reported once and remembered: nothing is judged that depends on
/// it.
extension LogConversationTable {
  mutating func reportReuse(_ conversation: Int, _ entry: LogEntry, _ sink: any EvidenceSink) {
    guard all[conversation].doubts.reported.insert(.reuse).inserted else { return }
    note(
      "a request has the number of one that still waits for its answer: this is taken for the same"
        + " session, as the log has the beginning of no other", conversation, entry, sink)
  }

  /// A session begins while another has not ended: a new attempt, or a second client. Only ids that
  /// count up show it later; in a dialect without them, nothing can.
  mutating func noteOverlap(
    of before: Int, and new: Int, _ entry: LogEntry, _ sink: any EvidenceSink
  ) {
    let isCounted = entry.recognition.isCounted
    if !isCounted { all[new].doubts.hasSeveralSessions = true }
    note(
      "a session begins while another has not ended: this is taken for a new attempt of the same"
        + " client; if it is a second one, what follows may be of either"
        + (isCounted ? "" : ", so nothing is judged that depends on it"), new, entry, sink)
    if isCounted { return }
    // Messages of the former session may be shown with the later one.
    all[before].doubts.hasSeveralSessions = true
    gap(in: before, entry, sink)
  }

  /// Several connections are open, and messages of any of them stand in one conversation.
  mutating func noteSeveralSessions(_ index: Int, _ entry: LogEntry, _ sink: any EvidenceSink) {
    if all[index].doubts.hasSeveralSessions { return }
    all[index].doubts.hasSeveralSessions = true
    gap(in: index, entry, sink)
    guard all[index].doubts.reported.insert(.mixing).inserted else { return }
    sink.finding(
      .sessionsMixed(
        "several connections are open at once, and no line identifies its connection: they are"
          + " shown as one, and nothing is judged that depends on it", .warning,
        origin(entry.origin, in: index)))
  }

  /// Two sessions go on at once, and no line says which of them it is about.
  mutating func markMixed(
    _ before: Int, and last: Int, _ entry: LogEntry, _ sink: any EvidenceSink
  ) {
    for index in [before, last] where !all[index].doubts.isMixed {
      markMixed(index, entry, sink)
      if !entry.recognition.isCounted { all[index].doubts.hasSeveralSessions = true }
      if index == before { continue }
      sink.finding(
        .sessionsMixed(
          "two sessions overlap, and no line identifies its session: answers that fit both are"
            + " shown apart, other messages with the later session", .warning,
          origin(entry.origin, in: index)))
    }
  }

  /// What is shown in a conversation may be of another session.
  mutating func markMixed(_ index: Int, _ entry: LogEntry, _ sink: any EvidenceSink) {
    gap(in: index, entry, sink)
    all[index].doubts.isMixed = true
    all[index].doubts.reported.insert(.mixing)
  }

  /// The session without an id that a message belongs to: the oldest of those whose turn it is, or
  /// else that has no answer yet. Those that are asked who they are may be answered in any order.
  mutating func oldest(
    of waiting: [Int], for entry: LogEntry, _ sink: any EvidenceSink
  ) -> Int {
    let direction = entry.match.direction
    let fitting =
      direction == .unsaid ? [] : waiting.filter { all[$0].session.awaits(direction) }
    guard let first = fitting.first else {
      return waiting.first { !all[$0].session.isAnswered } ?? waiting[0]
    }
    if fitting.count > 1 && fitting.contains(where: { all[$0].session.isAnswered }) {
      for index in fitting { all[index].doubts.mayBeOfOthers = true }
      if all[first].doubts.reported.insert(.mixing).inserted {
        sink.finding(
          .sessionsMixed(
            "several sessions begin at once, and no line identifies its session: a message is"
              + " shown with the oldest that it may belong to, and nothing is judged that depends"
              + " on it", .warning, origin(entry.origin, in: first)))
      }
    }
    if all[first].doubts.mayBeOfOthers { gap(in: first, entry, sink) }
    return first
  }

  /// Reports what was decided about a conversation, and may be wrong.
  private func note(
    _ text: String, _ conversation: Int, _ entry: LogEntry, _ sink: any EvidenceSink
  ) {
    let origin = origin(entry.origin, in: conversation)
    sink.finding(
      all[conversation].doubts.hasSeveralSessions
        ? .sessionsMixed(text, .note, origin) : Finding(.logMixed, .note, origin, text))
  }

  private func gap(in conversation: Int, _ entry: LogEntry, _ sink: any EvidenceSink) {
    sink.gap(nil, Delivery(origin(entry.origin, in: conversation)))
  }
}
