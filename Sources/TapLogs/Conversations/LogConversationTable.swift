// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// All conversations of a log: opens and closes them.
struct LogConversationTable {
  /// The place of a closed conversation is used for another one.
  var all: ContiguousArray<LogConversation> = []
  /// Places of those that were closed.
  private var free: [Int] = []
  var names = LogConversationNames()
  private var flows: UInt32 = 0
  /// How many are open at most.
  let most: Int
  /// The text was pasted: its conversations are not marked as logged.
  let isPasted: Bool

  init(_ limits: Limits, isPasted: Bool) { (most, self.isPasted) = (limits.connections, isPasted) }

  /// Whether one that was opened here still goes on; its place may have been given to another.
  func isOpen(_ conversation: Int, _ flow: UInt32) -> Bool {
    all[conversation].flow == flow && !all[conversation].isClosed
  }

  /// An origin in a conversation.
  func origin(_ origin: Origin, in conversation: Int) -> Origin {
    var origin = origin
    origin.flow = all[conversation].flow
    return origin
  }

  mutating func open(
    _ opening: Opening, at origin: Origin, by writer: LogConversationWriter = .init(),
    _ sink: any EvidenceSink
  ) -> Int {
    if all.count - free.count >= most { evict(sink) }
    flows &+= 1
    let conversation = LogConversation(flow: flows, writer, at: origin)
    var opening = opening
    (opening.provenance.isLogged, opening.provenance.isPasted) = (!isPasted, isPasted)
    sink.opened(opening, Delivery(conversation.last))
    if let place = free.popLast() {
      all[place] = conversation
      return place
    }
    all.append(conversation)
    return all.count - 1
  }

  /// Closes a conversation whose names the caller has removed.
  mutating func close(
    _ conversation: Int, as closing: Closing = Closing(isUnfinished: true), _ sink: any EvidenceSink
  ) {
    sink.closed(closing, Delivery(all[conversation].last))
    all[conversation].isClosed = true
    if all[conversation].isShared { names.forget { $0 == conversation } }
    free.append(conversation)
  }

  /// Closes a conversation where something says when it ended.
  mutating func close(
    _ conversation: Int, as closing: Closing, at origin: Origin, _ sink: any EvidenceSink
  ) {
    all[conversation].last = self.origin(origin, in: conversation)
    close(conversation, as: closing, sink)
  }

  /// Too many are open: closes the half whose last messages are the oldest.
  private mutating func evict(_ sink: any EvidenceSink) {
    let byAge = all.indices.filter { !all[$0].isClosed }.sorted {
      all[$0].last.record < all[$1].last.record
    }
    for index in byAge.prefix(max(1, byAge.count / 2)) { close(index, sink) }
    let closed = all.map(\.isClosed)
    names.forget { closed[$0] }
    names.unnamed = names.unnamed.mapValues { $0.filter { !closed[$0] } }
      .filter { !$0.value.isEmpty }
  }
}
