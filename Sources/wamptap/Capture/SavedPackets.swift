// SPDX-License-Identifier: Apache-2.0
import TapInspector
import TapTraffic

/// Which packets of a capture belong to what is to be saved: found in one reading, asked in the
/// next. Packets are numbered over all inputs, in the order in which they are read.
final class SavedPackets {
  /// A message, or the beginning of a connection.
  struct Event {
    /// Its number as outputs have it.
    var connection: UInt32
    var origin: Origin
    var isSelected: Bool
    /// The beginning of a connection.
    var isOpening: Bool
    /// HTTP bodies carry the connection, so that each answer needs its request.
    var isOverHTTP = false
  }

  private struct Direction: Hashable {
    var conversation: UInt32
    var direction: UInt8
  }

  private struct Connection {
    var conversations: Set<UInt32> = []
    var isSelected = false
    /// Saved with all its packets if with any.
    var isWhole: Bool
  }

  private let extent: SavedExtent
  private let mostPackets: Int
  /// The TCP connection of the packet that was decoded last; see `Engine.lastConversation`.
  private let conversation: () -> UInt64?
  /// Of each packet, the TCP connection that it is of; 0 for none.
  private var conversations: ContiguousArray<UInt32> = []
  /// By input and packet of that input: its number over all inputs; `.max` for one that was left
  /// out.
  private var numbers: [UInt16: ContiguousArray<UInt32>] = [:]
  /// What came while the last packet was decoded.
  private var events: [Event] = []
  private var connections: [UInt32: Connection] = [:]
  /// The packet in which the last message of a direction ended.
  private var ends: [Direction: UInt32] = [:]
  /// Packets of TCP connections that are saved; in order and apart, once everything was read.
  private var ranges: [UInt32: ContiguousArray<ClosedRange<UInt32>>] = [:]
  /// TCP connections that are saved whole.
  private var wanted: Set<UInt32> = []

  /// A fragment, which may be of any connection.
  private static let any = UInt32.max

  /// There was no packet.
  var isEmpty: Bool { conversations.isEmpty }
  /// There are more packets than can be chosen from.
  private(set) var isFull = false

  init(_ extent: SavedExtent, _ limits: Limits, _ conversation: @escaping () -> UInt64?) {
    (self.extent, self.conversation) = (extent, conversation)
    mostPackets = limits.savedPackets
  }

  func hear(_ event: Event) { events.append(event) }

  /// The next packet was decoded.
  func add(_ packet: Packet) {
    if conversations.count >= mostPackets {
      isFull = true
      return
    }
    // Packets that a filter leaves out have numbers of their own in the input.
    while numbers[packet.input]?.count ?? 0 < Int(packet.number) - 1 {
      numbers[packet.input, default: []].append(.max)
    }
    numbers[packet.input, default: []].append(UInt32(conversations.count))
    conversations.append(conversation().map { UInt32(truncatingIfNeeded: $0) } ?? Self.any)
    settle()
  }

  /// Assigns events to their packets, whose numbers are known by now.
  private func settle() {
    for event in events {
      guard let packet = number(event.origin.input, event.origin.record) else { continue }
      let conversation = conversations[Int(packet)]
      if conversation == 0 || conversation == Self.any { continue }
      let new = Connection(isWhole: extent == .connection)
      connections[event.connection, default: new].conversations.insert(conversation)
      if event.isSelected { connections[event.connection]?.isSelected = true }
      if event.isOverHTTP { connections[event.connection]?.isWhole = true }
      if extent != .connection { settle(event, packet, conversation) }
    }
    events.removeAll(keepingCapacity: true)
  }

  private func settle(_ event: Event, _ packet: UInt32, _ conversation: UInt32) {
    if event.isOpening {
      // How the connection was opened belongs to each of its messages.
      ranges[conversation, default: []].append(0...packet)
      return
    }
    let direction = Direction(
      conversation: conversation, direction: event.origin.direction.rawValue)
    if event.isSelected {
      // The message may begin in the packet in which the previous one ends.
      ranges[conversation, default: []].append(min(ends[direction] ?? 0, packet)...packet)
    }
    ends[direction] = packet
  }

  /// Everything was read.
  func finish() {
    settle()
    for connection in connections.values where connection.isSelected && connection.isWhole {
      wanted.formUnion(connection.conversations)
    }
    for conversation in ranges.keys { merge(&ranges[conversation, default: []]) }
  }

  private func merge(_ ranges: inout ContiguousArray<ClosedRange<UInt32>>) {
    var merged: ContiguousArray<ClosedRange<UInt32>> = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    ranges = merged
  }

  /// The number over all inputs of a packet of one of them.
  private func number(_ input: UInt16, _ packet: UInt64) -> UInt32? {
    guard packet > 0, let all = numbers[input], packet <= all.count else { return nil }
    let number = all[Int(packet) - 1]
    return number == .max ? nil : number
  }

  func contains(_ packet: Packet) -> Bool {
    guard let number = number(packet.input, packet.number) else { return false }
    let conversation = conversations[Int(number)]
    if conversation == 0 { return false }
    if conversation == Self.any { return true }
    if wanted.contains(conversation) { return true }
    guard let ranges = ranges[conversation] else { return false }
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < number { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(number)
  }
}
