// SPDX-License-Identifier: Apache-2.0
import TapInspector
import TapTraffic

/// Which packets of a capture belong to what is to be saved: found in one reading, asked in the
/// next.
final class SavedPackets {
  /// A message, or the beginning of a connection.
  struct Event {
    /// Its number as outputs have it.
    var connection: UInt32
    var origin: Origin
    var isSelected: Bool
    /// The beginning of a connection.
    var isOpening: Bool
  }

  private struct Direction: Hashable {
    var conversation: UInt32
    var direction: UInt8
  }

  private struct Connection {
    var conversations: Set<UInt32> = []
    var isSelected = false
  }

  private let extent: SavedExtent
  private let mostPackets: Int
  /// What a packet is of; see `Engine.lastConversation`.
  private let conversation: () -> UInt64?
  /// By input, of each packet: the TCP connection that it is of, 0 for none.
  private var packets: [UInt16: ContiguousArray<UInt32>] = [:]
  private var count = 0
  /// Heard of while the last packet was decoded.
  private var events: [Event] = []
  private var connections: [UInt32: Connection] = [:]
  /// The packet in which the last message of a direction ended.
  private var ends: [Direction: UInt64] = [:]
  /// Packets of TCP connections, by numbers in their input.
  private var ranges: [UInt32: [ClosedRange<UInt64>]] = [:]
  private var wanted: Set<UInt32> = []

  /// A fragment, which may be of any connection.
  private static let any = UInt32.max

  /// There are more packets than can be chosen from.
  private(set) var isFull = false

  init(_ extent: SavedExtent, _ limits: Limits, _ conversation: @escaping () -> UInt64?) {
    (self.extent, self.conversation) = (extent, conversation)
    mostPackets = limits.savedPackets
  }

  func hear(_ event: Event) { events.append(event) }

  /// The next packet was decoded.
  func add(_ packet: Packet) {
    if count >= mostPackets {
      isFull = true
      return
    }
    count += 1
    var all: ContiguousArray<UInt32> = []
    swap(&all, &packets[packet.input, default: []])
    while all.count < packet.number { all.append(0) }
    all[Int(packet.number) - 1] = conversation().map { UInt32(truncatingIfNeeded: $0) } ?? Self.any
    swap(&all, &packets[packet.input, default: []])
    settle()
  }

  /// What was heard is of packets that are known now.
  func settle() {
    for event in events {
      let conversation = self.conversation(event.origin.input, event.origin.record)
      if conversation == 0 || conversation == Self.any { continue }
      connections[event.connection, default: Connection()].conversations.insert(conversation)
      if event.isSelected { connections[event.connection]?.isSelected = true }
      if event.isOpening {
        // How the connection was opened belongs to each of its messages.
        if event.isSelected { ranges[conversation, default: []].append(0...event.origin.record) }
        continue
      }
      let direction = Direction(
        conversation: conversation, direction: event.origin.direction.rawValue)
      let record = event.origin.record
      if event.isSelected {
        ranges[conversation, default: []].append(min(ends[direction] ?? 0, record)...record)
      }
      ends[direction] = record
    }
    events.removeAll(keepingCapacity: true)
  }

  /// Everything was read.
  func finish() {
    settle()
    guard extent == .connection else { return }
    for connection in connections.values where connection.isSelected {
      wanted.formUnion(connection.conversations)
    }
  }

  private func conversation(_ input: UInt16, _ packet: UInt64) -> UInt32 {
    guard packet > 0, let all = packets[input], packet <= all.count else { return 0 }
    return all[Int(packet) - 1]
  }

  func contains(_ packet: Packet) -> Bool {
    let conversation = conversation(packet.input, packet.number)
    if conversation == 0 { return false }
    if conversation == Self.any { return true }
    if extent == .connection { return wanted.contains(conversation) }
    return ranges[conversation]?.contains { $0.contains(packet.number) } ?? false
  }
}
