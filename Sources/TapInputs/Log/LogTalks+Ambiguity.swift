// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// Several sessions behind the same words, which no line tells apart. Nothing is joined that may
/// belong to either.
extension LogTalks {
  /// The conversation of a request whose number waits for its answer in the last one already: it is
  /// of another session, unless the log has the beginning of the only one there is.
  mutating func other(
    _ name: LogTalk.Name, _ last: Int, _ sight: LogSight, _ match: LogMatch, _ floor: any Floor
  ) -> Int {
    if let before = former[name] {
      mix(before, last, sight, floor)
      if !talks[before].awaits(sight.likeness.opens) { return before }
      return unsure(name, sight, match, floor)
    }
    if talks[last].isOpen && !talks[last].isMixed {
      tellReuse(last, sight, floor)
      return last
    }
    former[name] = last
    let new = open(sight, match, floor)
    assign(name, new)
    mix(last, new, sight, floor)
    return new
  }

  private mutating func tellReuse(_ talk: Int, _ sight: LogSight, _ floor: any Floor) {
    if talks[talk].hasReused { return }
    talks[talk].hasReused = true
    note(
      "a request has the number of one that still waits for its answer: this is taken for the same"
        + " session, as the log has the beginning of no other", talk, sight, floor)
  }

  /// A session begins while another has not ended: that is a new attempt, or a second client, which
  /// only what follows can tell.
  func doubt(_ new: Int, _ sight: LogSight, _ floor: any Floor) {
    note(
      "a session begins while another has not ended: this is taken for a new attempt of the same"
        + " client; if it is a second one, what follows may be of either", new, sight, floor)
  }

  /// What was decided of a conversation, and may be otherwise.
  private func note(_ text: String, _ talk: Int, _ sight: LogSight, _ floor: any Floor) {
    var origin = sight.origin
    origin.flow = talks[talk].flow
    floor.finding(Finding(.logMixed, .note, origin, text))
  }

  /// The conversation of what either session may wait for, or neither.
  mutating func unsure(
    _ name: LogTalk.Name, _ sight: LogSight, _ match: LogMatch, _ floor: any Floor
  ) -> Int {
    var unsure = name
    unsure.isUnsure = true
    if let known = names[unsure] { return known }
    let new = open(sight, match, floor)
    names[unsure] = new
    var origin = sight.origin
    origin.flow = talks[new].flow
    floor.gap(nil, Delivery(origin))
    talks[new].isMixed = true
    return new
  }

  /// The conversation that has begun before its lines had a name: that of the session comes with
  /// WELCOME.
  mutating func adopted(_ name: LogTalk.Name) -> Int? {
    guard !name.writer.isEmpty else { return nil }
    var nameless = name
    nameless.writer = ""
    guard let talk = names[nameless], talks[talk].isOpen, !talks[talk].isGranted else { return nil }
    names[nameless] = nil
    latest[name.format] = nil
    assign(name, talk)
    return talk
  }

  /// The one conversation that waits for this message and was begun by lines of another kind: what
  /// is sent and what is received may be printed in different words.
  mutating func kindred(
    _ name: LogTalk.Name, _ sight: LogSight, _ match: LogMatch
  ) -> Int? {
    guard match.form.isGeneric,
      sight.likeness.answers != 0 || sight.likeness.session != 0
    else { return nil }
    var found: Int?
    for (index, format) in LogFormats.all.enumerated() where format.isGeneric {
      var other = name
      other.format = LogFormats.family(index)
      guard other != name, let talk = names[other], talk != found else { continue }
      let isPending = talks[talk].isOpen && !talks[talk].isGranted && sight.likeness.session != 0
      guard isPending || talks[talk].awaits(sight.likeness.answers) else { continue }
      if found != nil { return nil }
      found = talk
    }
    if let found { assign(name, found) }
    return found
  }
}
