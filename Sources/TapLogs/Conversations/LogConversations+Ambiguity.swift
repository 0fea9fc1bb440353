// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// Several sessions behind the same words, which no line tells apart. Nothing is joined that may
/// belong to either.
extension LogConversations {
  /// The conversation of a request whose number waits for its answer in the last one already: it is
  /// of another session, unless the log has the beginning of the only one there is.
  mutating func conversationOfReusedRequest(
    _ name: LogConversation.Name, _ last: Int, _ candidate: LogCandidate, _ match: LogMatch,
    _ sink: any EvidenceSink
  ) -> Int {
    if let before = former[name] {
      markMixed(before, last, candidate, sink)
      if !conversations[before].awaits(candidate.recognition.opens) { return before }
      return conversationOfEither(name, candidate, match, sink)
    }
    if conversations[last].isOpen && !conversations[last].isMixed {
      tellReuse(last, candidate, sink)
      return last
    }
    former[name] = last
    let new = open(candidate, match, sink)
    assign(name, new)
    markMixed(last, new, candidate, sink)
    return new
  }

  private mutating func tellReuse(
    _ conversation: Int, _ candidate: LogCandidate, _ sink: any EvidenceSink
  ) {
    if conversations[conversation].hasReused { return }
    conversations[conversation].hasReused = true
    note(
      "a request has the number of one that still waits for its answer: this is taken for the same"
        + " session, as the log has the beginning of no other", conversation, candidate, sink)
  }

  /// A session begins while another has not ended: that is a new attempt, or a second client, which
  /// only what follows can tell; where no ids count up, nothing may.
  mutating func noteOverlap(
    _ before: Int, _ new: Int, _ candidate: LogCandidate, _ sink: any EvidenceSink
  ) {
    let isCounted = candidate.recognition.isCounted
    if !isCounted { conversations[new].hasSeveralSessions = true }
    note(
      "a session begins while another has not ended: this is taken for a new attempt of the same"
        + " client; if it is a second one, what follows may be of either"
        + (isCounted ? "" : ", so nothing is judged that depends on it"), new, candidate, sink)
    if isCounted { return }
    // What belongs to it may be shown with the later one.
    conversations[before].hasSeveralSessions = true
    var origin = candidate.origin
    origin.flow = conversations[before].flow
    sink.gap(nil, Delivery(origin))
  }

  /// Several connections are open, and messages of any of them stand in one conversation.
  mutating func noteSeveralSessions(
    _ index: Int, _ candidate: LogCandidate, _ sink: any EvidenceSink
  ) {
    if conversations[index].hasSeveralSessions { return }
    conversations[index].hasSeveralSessions = true
    var origin = candidate.origin
    origin.flow = conversations[index].flow
    sink.gap(nil, Delivery(origin))
    if conversations[index].hasToldMixing { return }
    conversations[index].hasToldMixing = true
    sink.finding(
      .sessionsMixed(
        "several connections are open at once, and nothing on these lines was recognised that says"
          + " which of them a message belongs to: they are shown as one, and nothing is judged that"
          + " depends on it", .warning, origin))
  }

  /// What was decided of a conversation, and may be otherwise.
  private func note(
    _ text: String, _ conversation: Int, _ candidate: LogCandidate, _ sink: any EvidenceSink
  ) {
    var origin = candidate.origin
    origin.flow = conversations[conversation].flow
    sink.finding(
      conversations[conversation].hasSeveralSessions
        ? .sessionsMixed(text, .note, origin) : Finding(.logMixed, .note, origin, text))
  }

  /// The conversation of what either session may wait for, or neither.
  mutating func conversationOfEither(
    _ name: LogConversation.Name, _ candidate: LogCandidate, _ match: LogMatch,
    _ sink: any EvidenceSink
  ) -> Int {
    var unsure = name
    unsure.isUnsure = true
    if let known = names[unsure] { return known }
    let new = open(candidate, match, mixing: .all, sink)
    names[unsure] = new
    var origin = candidate.origin
    origin.flow = conversations[new].flow
    sink.gap(nil, Delivery(origin))
    (conversations[new].isMixed, conversations[new].hasToldMixing) = (true, true)
    return new
  }

  /// The conversation that has begun before its lines had a name: that of the session comes with
  /// WELCOME.
  mutating func begunWithoutName(_ name: LogConversation.Name) -> Int? {
    guard !name.writer.isEmpty else { return nil }
    var nameless = name
    nameless.writer = ""
    guard let conversation = names[nameless], conversations[conversation].isOpen,
      !conversations[conversation].isGranted
    else { return nil }
    names[nameless] = nil
    latest[name.format] = nil
    assign(name, conversation)
    return conversation
  }

  /// The one conversation that waits for this message, or lacks the half that it is of, and was
  /// begun by lines of another kind: what is sent and what is received may be printed in different
  /// words.
  mutating func otherHalf(
    _ name: LogConversation.Name, _ candidate: LogCandidate, _ match: LogMatch
  ) -> Int? {
    if candidate.recognition.begins { return nil }
    var found: Int?
    var half: Int?
    var halves = 0
    // A program that is known, and prints only what it receives, may print the rest in any words.
    let mayBeHalf = match.form.isGeneric || !match.form.isWhole
    for (index, format) in LogFormats.all.enumerated()
    where format.isGeneric && mayBeHalf || match.form.isGeneric && !format.isWhole {
      var other = name
      other.format = LogFormats.family(index)
      guard other != name, let conversation = names[other], conversation != found,
        conversation != half
      else { continue }
      // A program that is known prints all that it knows of an exchange itself.
      if format.isGeneric && match.form.isGeneric && waits(conversation, candidate) {
        if found != nil { return nil }
        found = conversation
      } else {
        halves += 1
        half = conversations[conversation].lacks(match.way) ? conversation : nil
      }
    }
    // A name that has a conversation of its own is not the other half of another.
    let isOnly = halves == 1 && names[name] == nil && name.session == 0
    guard let conversation = found ?? (isOnly ? half : nil) else { return nil }
    assign(name, conversation)
    return conversation
  }

  private func waits(_ conversation: Int, _ candidate: LogCandidate) -> Bool {
    let (answers, session) = (candidate.recognition.answers, candidate.recognition.session)
    return session != 0 && conversations[conversation].isOpen
      && !conversations[conversation].isGranted
      || answers != 0 && conversations[conversation].awaits(answers)
  }
}
