// SPDX-License-Identifier: Apache-2.0

/// Maps names of lines to conversations, which are given by their index in
/// `LogConversationTable.all`.
struct LogConversationNames {
  typealias Name = LogConversationName

  /// The conversation of each name that began last.
  private(set) var current: [Name: Int] = [:]
  /// The one before it, where that may still be going on.
  var former: [Name: Int] = [:]
  /// Conversations of a name whose sessions have no id yet, the oldest first.
  var unnamed: [Name: [Int]] = [:]
  /// Per format, the conversation that was looked up last (a cache).
  private var latest: ContiguousArray<(name: Name, conversation: Int)?> = ContiguousArray(
    repeating: nil, count: LogFormats.all.count)

  /// The current conversation of a name, looked up past the cache: for names rarely asked for
  /// twice.
  subscript(name: Name) -> Int? { current[name] }

  mutating func find(_ name: Name) -> Int? {
    if let (known, conversation) = latest[name.format], known == name { return conversation }
    guard let conversation = current[name] else { return nil }
    latest[name.format] = (name, conversation)
    return conversation
  }

  mutating func assign(_ name: Name, _ conversation: Int) {
    current[name] = conversation
    latest[name.format] = (name, conversation)
  }

  mutating func remove(_ name: Name) -> Int? {
    guard let conversation = current.removeValue(forKey: name) else { return nil }
    latest[name.format] = nil
    return conversation
  }

  /// Forgets all names of some conversations but those of sessions without an id.
  mutating func forget(_ isForgotten: (Int) -> Bool) {
    current = current.filter { !isForgotten($0.value) }
    former = former.filter { !isForgotten($0.value) }
    for format in latest.indices where latest[format].map({ isForgotten($0.conversation) }) == true
    {
      latest[format] = nil
    }
  }
}
