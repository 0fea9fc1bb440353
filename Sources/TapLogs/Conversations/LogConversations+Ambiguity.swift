// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// Several sessions behind the same words, which no line tells apart. Nothing is joined that may
/// belong to either.
extension LogConversations {
  /// The conversation of a request whose number waits for its answer in the last one already: it is
  /// of another session, unless the log has the beginning of the only one there is.
  mutating func other(
    _ name: LogConversation.Name, _ last: Int, _ sight: LogCandidate, _ match: LogMatch,
    _ sink: any EvidenceSink
  ) -> Int {
    if let before = former[name] {
      mix(before, last, sight, sink)
      if !talks[before].awaits(sight.recognition.opens) { return before }
      return unsure(name, sight, match, sink)
    }
    if talks[last].isOpen && !talks[last].isMixed {
      tellReuse(last, sight, sink)
      return last
    }
    former[name] = last
    let new = open(sight, match, sink)
    assign(name, new)
    mix(last, new, sight, sink)
    return new
  }

  private mutating func tellReuse(_ talk: Int, _ sight: LogCandidate, _ sink: any EvidenceSink) {
    if talks[talk].hasReused { return }
    talks[talk].hasReused = true
    note(
      "a request has the number of one that still waits for its answer: this is taken for the same"
        + " session, as the log has the beginning of no other", talk, sight, sink)
  }

  /// A session begins while another has not ended: that is a new attempt, or a second client, which
  /// only what follows can tell.
  func doubt(_ new: Int, _ sight: LogCandidate, _ sink: any EvidenceSink) {
    note(
      "a session begins while another has not ended: this is taken for a new attempt of the same"
        + " client; if it is a second one, what follows may be of either", new, sight, sink)
  }

  /// What was decided of a conversation, and may be otherwise.
  private func note(_ text: String, _ talk: Int, _ sight: LogCandidate, _ sink: any EvidenceSink) {
    var origin = sight.origin
    origin.flow = talks[talk].flow
    sink.finding(Finding(.logMixed, .note, origin, text))
  }

  /// The conversation of what either session may wait for, or neither.
  mutating func unsure(
    _ name: LogConversation.Name, _ sight: LogCandidate, _ match: LogMatch,
    _ sink: any EvidenceSink
  ) -> Int {
    var unsure = name
    unsure.isUnsure = true
    if let known = names[unsure] { return known }
    let new = open(sight, match, sink)
    names[unsure] = new
    var origin = sight.origin
    origin.flow = talks[new].flow
    sink.gap(nil, Delivery(origin))
    talks[new].isMixed = true
    return new
  }

  /// The conversation that has begun before its lines had a name: that of the session comes with
  /// WELCOME.
  mutating func adopted(_ name: LogConversation.Name) -> Int? {
    guard !name.writer.isEmpty else { return nil }
    var nameless = name
    nameless.writer = ""
    guard let talk = names[nameless], talks[talk].isOpen, !talks[talk].isGranted else { return nil }
    names[nameless] = nil
    latest[name.format] = nil
    assign(name, talk)
    return talk
  }

  /// The one conversation that waits for this message, or lacks the half that it is of, and was
  /// begun by lines of another kind: what is sent and what is received may be printed in different
  /// words.
  mutating func kindred(
    _ name: LogConversation.Name, _ sight: LogCandidate, _ match: LogMatch
  ) -> Int? {
    if sight.recognition.begins { return nil }
    var found: Int?
    var half: Int?
    var halves = 0
    // A program that is known, and prints only what it receives, may print the rest in any words.
    let mayBeHalf = match.form.isGeneric || !match.form.isWhole
    for (index, format) in LogFormats.all.enumerated()
    where format.isGeneric && mayBeHalf || match.form.isGeneric && !format.isWhole {
      var other = name
      other.format = LogFormats.family(index)
      guard other != name, let talk = names[other], talk != found, talk != half else { continue }
      // A program that is known prints all that it knows of an exchange itself.
      if format.isGeneric && match.form.isGeneric && waits(talk, sight) {
        if found != nil { return nil }
        found = talk
      } else {
        halves += 1
        half = talks[talk].lacks(match.way) ? talk : nil
      }
    }
    // A name that has a conversation of its own is not the other half of another.
    let isOnly = halves == 1 && names[name] == nil && name.session == 0
    guard let talk = found ?? (isOnly ? half : nil) else { return nil }
    assign(name, talk)
    return talk
  }

  private func waits(_ talk: Int, _ sight: LogCandidate) -> Bool {
    let (answers, session) = (sight.recognition.answers, sight.recognition.session)
    return session != 0 && talks[talk].isOpen && !talks[talk].isGranted
      || answers != 0 && talks[talk].awaits(answers)
  }
}
