// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// Which conversation a message is of.
extension LogConversations {
  mutating func conversation(
    of candidate: LogCandidate, _ match: LogMatch, _ sink: any EvidenceSink
  ) -> Int {
    let name = LogConversationName(ofMessage: candidate)
    return match.rule?.hasSession == true
      ? conversationOfSession(name, candidate, match, sink)
      : conversationOfWriter(name, candidate, match, sink)
  }

  /// The conversation of lines that name their sessions. A session that has no id yet gets it with
  /// WELCOME.
  private mutating func conversationOfSession(
    _ name: LogConversationName, _ candidate: LogCandidate, _ match: LogMatch,
    _ sink: any EvidenceSink
  ) -> Int {
    var name = name
    // The writer may be the session's id once more, read from a record on the line. The record of
    // HELLO lacks it, so it must not tell lines apart. Other names of writers do: both ends of a
    // session may be in one log.
    if name.session != 0 && name.writer.hasPrefix("session ") { name.writer = "" }
    if name.session != 0, let known = table.names.find(name) { return known }
    var (welcomed, unnamed) = (name, name)
    unnamed.session = 0
    if name.session == 0 { welcomed.session = candidate.recognition.session }
    var waiting = table.names.unnamed[unnamed] ?? []
    if waiting.isEmpty && !candidate.recognition.begins {
      unnamed.writer = ""
      waiting = table.names.unnamed[unnamed] ?? []
    }
    if candidate.recognition.begins || waiting.isEmpty {
      let new = open(candidate, match, sink)
      if welcomed.session == 0 {
        table.names.unnamed[unnamed, default: []].append(new)
      } else {
        table.names.assign(welcomed, new)
      }
      return new
    }
    let oldest = oldest(of: waiting, for: candidate, match, sink)
    if welcomed.session != 0 {
      table.names.unnamed[unnamed]!.removeAll { $0 == oldest }
      table.names.assign(welcomed, oldest)
    }
    return oldest
  }

  /// The conversation of a writer that names no sessions. Asked in this order: its last one, unless
  /// another begins; one begun without a name; one under a looser name; the other half of another
  /// format; else a new one.
  private mutating func conversationOfWriter(
    _ name: LogConversationName, _ candidate: LogCandidate, _ match: LogMatch,
    _ sink: any EvidenceSink
  ) -> Int {
    guard
      let known = table.names.find(name) ?? begunWithoutName(name)
        ?? underLooserName(name, candidate) ?? otherHalf(name, candidate, match)
    else {
      endSharing(name)
      let new = open(candidate, match, sink)
      table.names.assign(name, new)
      return new
    }
    if candidate.recognition.begins && table.all[known].session.isUsed
      || candidate.recognition.session != 0 && table.all[known].isTaken
    {
      return otherHalf(name, candidate, match)
        ?? conversationOfNewSession(name, behind: known, candidate, match, sink)
    }
    if table.all[known].exchanges.awaits(candidate.recognition.opens) {
      return conversationOfReusedRequest(name, known, candidate, match, sink)
    }
    guard !table.names.former.isEmpty, let before = table.names.former[name] else { return known }
    return conversation(of: candidate, match, before, or: known, name, sink)
  }

  /// Another session of the same writer begins.
  private mutating func conversationOfNewSession(
    _ name: LogConversationName, behind known: Int, _ candidate: LogCandidate, _ match: LogMatch,
    _ sink: any EvidenceSink
  ) -> Int {
    if let before = table.names.former.removeValue(forKey: name) { table.close(before, sink) }
    let mayContinue = table.all[known].session.phase != .ended
    if mayContinue { table.names.former[name] = known } else { table.close(known, sink) }
    let new = open(candidate, match, sink)
    table.names.assign(name, new)
    if mayContinue { noteOverlap(of: known, and: new, candidate, sink) }
    return new
  }

  /// Which of two conversations a message belongs to, where the former one may go on beside the
  /// current one: two connections of one program.
  private mutating func conversation(
    of candidate: LogCandidate, _ match: LogMatch, _ before: Int, or known: Int,
    _ name: LogConversationName, _ sink: any EvidenceSink
  ) -> Int {
    let recognition = candidate.recognition
    let waitsBefore = table.all[before].exchanges.awaits(recognition.answers)
    let waitsNow = table.all[known].exchanges.awaits(recognition.answers)
    // Unless something shows that both go on, the former one was left without an end.
    if table.all[known].doubts.isMixed && waitsBefore && waitsNow {
      return conversationOfEither(name, candidate, match, sink)
    }
    let isAnswer = waitsBefore && !waitsNow
    let isEnd =
      recognition.ends && table.all[known].session.hasEnded(match.direction)
      && !table.all[before].session.hasEnded(match.direction)
    let isHeld =
      recognition.uses != 0 && table.all[before].exchanges.holds(recognition.uses)
      && !table.all[known].exchanges.holds(recognition.uses)
    let isLeft =
      table.all[known].session.isOver && !table.all[before].session.isOver && !recognition.begins
    let isOfBefore = isAnswer || isEnd || isHeld || isLeft
    if isOfBefore || table.all[known].exchanges.repeats(recognition) {
      markMixed(before, and: known, candidate, sink)
    }
    return isOfBefore ? before : known
  }

  // MARK: - Under another name

  /// The conversation that began before its lines had a name: the session's id comes with WELCOME,
  /// the number of a server of debugpy with what it says of itself.
  private mutating func begunWithoutName(_ name: LogConversationName) -> Int? {
    if DebugpyChannel.isKnown(name.writer) {
      let unknown = table.names.current.keys.filter {
        DebugpyChannel.isUnknown($0.writer) && $0.nameless == name.nameless
      }
      // Nothing says which of several has got this name: it is shown by itself.
      guard unknown.count == 1, let conversation = table.names.remove(unknown[0]) else {
        return nil
      }
      table.names.assign(name, conversation)
      return conversation
    }
    guard !name.writer.isEmpty, let conversation = table.names[name.nameless],
      table.all[conversation].session.isUnanswered
    else { return nil }
    _ = table.names.remove(name.nameless)
    table.names.assign(name, conversation)
    return conversation
  }

  /// A conversation of the same source whose lines have another name. A line without a writer
  /// belongs to the only named conversation that is open. A line with one belongs to the nameless
  /// conversation if that waits for this message.
  private mutating func underLooserName(
    _ name: LogConversationName, _ candidate: LogCandidate
  ) -> Int? {
    if candidate.recognition.begins || name.session != 0 { return nil }
    var found: Int?
    if name.writer.isEmpty {
      found = onlyOneWithName(name)
    } else {
      let (answers, uses) = (candidate.recognition.answers, candidate.recognition.uses)
      guard let conversation = table.names[name.nameless], !table.all[conversation].isShared,
        answers != 0 && table.all[conversation].exchanges.awaits(answers)
          || uses != 0 && table.all[conversation].exchanges.holds(uses)
      else { return nil }
      found = conversation
    }
    guard let found else { return nil }
    table.all[found].isShared = true
    table.names.assign(name, found)
    return found
  }

  /// The conversation that lines without a name are of, where only one that has a name goes on.
  func onlyOneWithName(_ nameless: LogConversationName) -> Int? {
    guard nameless.writer.isEmpty else { return nil }
    var found: Int?
    for (other, conversation) in table.names.current
    where !other.writer.isEmpty && other.nameless == nameless
      && !table.all[conversation].session.isOver
    {
      if found != nil { return nil }
      found = conversation
    }
    return found
  }

  /// Another name has come: lines without one may be of either from here on.
  private mutating func endSharing(_ name: LogConversationName) {
    if name.writer.isEmpty { return }
    guard let conversation = table.names[name.nameless], table.all[conversation].isShared
    else { return }
    _ = table.names.remove(name.nameless)
  }

  /// The one conversation that was begun by lines of another format and waits for this message, or
  /// lacks its direction: a program may print what it sends and what it receives in different
  /// words.
  private mutating func otherHalf(
    _ name: LogConversationName, _ candidate: LogCandidate, _ match: LogMatch
  ) -> Int? {
    if candidate.recognition.begins { return nil }
    var found: Int?
    var half: Int?
    var halves = 0
    // Some known programs print only what they receive. What they send may be printed in any words.
    let mayBeHalf = match.format.traits.contains(.generic) || match.format.traits.contains(.partial)
    for (index, format) in LogFormats.all.enumerated()
    where format.traits.contains(.generic) && mayBeHalf
      || match.format.traits.contains(.generic) && format.traits.contains(.partial)
    {
      var other = name
      other.format = LogFormats.family(index)
      guard other != name, let conversation = table.names[other], conversation != found,
        conversation != half
      else { continue }
      // Of two generic formats, one may print the answer to what the other printed. A known program
      // prints whole exchanges itself.
      if format.traits.contains(.generic) && match.format.traits.contains(.generic)
        && waits(conversation, candidate)
      {
        if found != nil { return nil }
        found = conversation
      } else {
        halves += 1
        half = table.all[conversation].lacks(match.direction) ? conversation : nil
      }
    }
    // A name that has a conversation of its own is not the other half of another.
    let isOnly = halves == 1 && table.names[name] == nil && name.session == 0
    guard let conversation = found ?? (isOnly ? half : nil) else { return nil }
    table.names.assign(name, conversation)
    return conversation
  }

  private func waits(_ conversation: Int, _ candidate: LogCandidate) -> Bool {
    let (answers, session) = (candidate.recognition.answers, candidate.recognition.session)
    return session != 0 && table.all[conversation].session.isUnanswered
      || answers != 0 && table.all[conversation].exchanges.awaits(answers)
  }
}
