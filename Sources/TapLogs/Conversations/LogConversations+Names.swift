// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// Conversations of which only some lines name the connection or the session: a name counts where
/// there are two, or where nothing else can be meant.
extension LogConversations {
  /// The conversation of lines of the same source that are named otherwise, where there is only
  /// one, or one that waits for this message.
  mutating func underLooserName(_ name: LogConversation.Name, _ candidate: LogCandidate) -> Int? {
    if candidate.recognition.begins || name.session != 0 { return nil }
    var found: Int?
    if name.writer.isEmpty {
      for (other, conversation) in names
      where isNamed(other, beside: name) && !conversations[conversation].isOver {
        if found != nil { return nil }
        found = conversation
      }
    } else {
      var nameless = name
      nameless.writer = ""
      let (answers, uses) = (candidate.recognition.answers, candidate.recognition.uses)
      guard let conversation = names[nameless], !conversations[conversation].isShared,
        answers != 0 && conversations[conversation].awaits(answers)
          || uses != 0 && conversations[conversation].holds(uses)
      else { return nil }
      found = conversation
    }
    guard let found else { return nil }
    conversations[found].isShared = true
    assign(name, found)
    return found
  }

  private func isNamed(_ other: LogConversation.Name, beside name: LogConversation.Name) -> Bool {
    var nameless = other
    nameless.writer = ""
    return !other.writer.isEmpty && nameless == name
  }

  /// Another name has come: lines without one may be of either from here on.
  mutating func endSharing(_ name: LogConversation.Name) {
    if name.writer.isEmpty { return }
    var nameless = name
    nameless.writer = ""
    guard let conversation = names[nameless], conversations[conversation].isShared else { return }
    names[nameless] = nil
    latest[name.format] = nil
  }

  /// Forgets all names of a conversation that has several.
  mutating func forget(_ index: Int) {
    guard conversations[index].isShared else { return }
    names = names.filter { $0.value != index }
    former = former.filter { $0.value != index }
    for format in latest.indices where latest[format]?.conversation == index {
      latest[format] = nil
    }
  }
}
