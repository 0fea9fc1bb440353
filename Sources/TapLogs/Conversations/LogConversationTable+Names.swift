// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// Finds the conversation that a name stands for, and those that go on under another name.
extension LogConversationTable {
  /// The conversation of a writer that names no sessions. Asked in this order: its last one; one
  /// begun without a name; one under a looser name; the other half of another format.
  mutating func find(_ entry: LogEntry) -> Int? {
    names.find(entry.name) ?? begunWithoutName(entry.name) ?? underLooserName(entry)
      ?? otherHalf(entry)
  }

  /// The conversation that began before its lines had a name: the session's id comes with WELCOME,
  /// the number of a server of debugpy with what it says of itself.
  private mutating func begunWithoutName(_ name: LogConversationName) -> Int? {
    if DebugpyChannel.isKnown(name.writer) {
      let unknown = names.current.keys.filter {
        DebugpyChannel.isUnknown($0.writer) && $0.nameless == name.nameless
      }
      // Nothing says which of several has got this name: it is shown by itself.
      guard unknown.count == 1, let conversation = names.remove(unknown[0]) else { return nil }
      names.assign(name, conversation)
      return conversation
    }
    guard !name.writer.isEmpty, let conversation = names[name.nameless],
      all[conversation].session.isUnanswered
    else { return nil }
    _ = names.remove(name.nameless)
    names.assign(name, conversation)
    return conversation
  }

  /// A conversation of the same source whose lines have another name. A line without a writer
  /// belongs to the only named conversation that is open. A line with one belongs to the nameless
  /// conversation if that waits for this message.
  private mutating func underLooserName(_ entry: LogEntry) -> Int? {
    let (name, recognition) = (entry.name, entry.recognition)
    if recognition.begins || name.session != 0 { return nil }
    var found: Int?
    if name.writer.isEmpty {
      found = onlyOneWithName(name)
    } else if let nameless = names[name.nameless], !all[nameless].isShared,
      recognition.answers != 0 && all[nameless].exchanges.awaits(recognition.answers)
        || recognition.uses != 0 && all[nameless].exchanges.holds(recognition.uses)
    {
      found = nameless
    }
    guard let found else { return nil }
    all[found].isShared = true
    names.assign(name, found)
    return found
  }

  /// The conversation that lines without a name are of, where only one that has a name goes on.
  func onlyOneWithName(_ nameless: LogConversationName) -> Int? {
    guard nameless.writer.isEmpty else { return nil }
    var found: Int?
    for (other, conversation) in names.current
    where !other.writer.isEmpty && other.nameless == nameless
      && !all[conversation].session.isOver
    {
      if found != nil { return nil }
      found = conversation
    }
    return found
  }

  /// Another name has come: lines without one may be of either from here on.
  mutating func endSharing(_ name: LogConversationName) {
    guard !name.writer.isEmpty, let conversation = names[name.nameless], all[conversation].isShared
    else { return }
    _ = names.remove(name.nameless)
  }

  /// The one conversation that was begun by lines of another format and waits for this message, or
  /// lacks its direction: a program may print what it sends and what it receives in different
  /// words.
  mutating func otherHalf(_ entry: LogEntry) -> Int? {
    let (name, match) = (entry.name, entry.match)
    if entry.recognition.begins { return nil }
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
      guard other != name, let conversation = names[other], conversation != found,
        conversation != half
      else { continue }
      // Of two generic formats, one may print the answer to what the other printed. A known program
      // prints whole exchanges itself.
      if format.traits.contains(.generic) && match.format.traits.contains(.generic)
        && all[conversation].awaits(entry.recognition)
      {
        if found != nil { return nil }
        found = conversation
      } else {
        halves += 1
        half = all[conversation].lacks(match.direction) ? conversation : nil
      }
    }
    // A name that has a conversation of its own is not the other half of another.
    let isOnly = halves == 1 && names[name] == nil && name.session == 0
    guard let conversation = found ?? (isOnly ? half : nil) else { return nil }
    names.assign(name, conversation)
    return conversation
  }
}
