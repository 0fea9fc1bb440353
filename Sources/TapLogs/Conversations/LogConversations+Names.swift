// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// Conversations of which only some lines name the connection or the session: a name counts where
/// there are two, or where nothing else can be meant.
extension LogConversations {
  /// The conversation of lines of the same source that are named otherwise, where there is only
  /// one, or one that waits for this message.
  mutating func shared(_ name: LogConversation.Name, _ sight: LogCandidate) -> Int? {
    if sight.recognition.begins || name.session != 0 { return nil }
    var found: Int?
    if name.writer.isEmpty {
      for (other, talk) in names where isNamed(other, beside: name) && !talks[talk].isOver {
        if found != nil { return nil }
        found = talk
      }
    } else {
      var nameless = name
      nameless.writer = ""
      let (answers, uses) = (sight.recognition.answers, sight.recognition.uses)
      guard let talk = names[nameless], !talks[talk].isShared,
        answers != 0 && talks[talk].awaits(answers) || uses != 0 && talks[talk].holds(uses)
      else { return nil }
      found = talk
    }
    guard let found else { return nil }
    talks[found].isShared = true
    assign(name, found)
    return found
  }

  private func isNamed(_ other: LogConversation.Name, beside name: LogConversation.Name) -> Bool {
    var nameless = other
    nameless.writer = ""
    return !other.writer.isEmpty && nameless == name
  }

  /// Another name has come: lines without one may be of either from here on.
  mutating func separate(_ name: LogConversation.Name) {
    if name.writer.isEmpty { return }
    var nameless = name
    nameless.writer = ""
    guard let talk = names[nameless], talks[talk].isShared else { return }
    names[nameless] = nil
    latest[name.format] = nil
  }

  /// Forgets all names of a conversation that has several.
  mutating func forget(_ index: Int) {
    guard talks[index].isShared else { return }
    names = names.filter { $0.value != index }
    former = former.filter { $0.value != index }
    for format in latest.indices where latest[format]?.talk == index { latest[format] = nil }
  }
}
