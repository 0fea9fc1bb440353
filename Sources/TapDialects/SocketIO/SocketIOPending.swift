// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// A packet of one direction that waits for its attachments, which follow as binary messages
/// (socket.io-protocol, "Binary"). Its buffers are reused.
struct SocketIOPending: ~Copyable {
  /// Capacity of the attachment buffer that is kept, in bytes.
  private static let usualRoom = 1 << 20

  private(set) var isOpen = false
  private(set) var packet = SocketIOPacket(.binaryEvent)
  /// The packet as it was sent.
  private(set) var bytes = Scratch()
  /// The offset in `bytes` that the ranges of `packet` refer to.
  private(set) var start = 0
  /// Where the packet was found.
  private(set) var delivery = Delivery(Origin())
  /// The attachments, concatenated, and the end of each.
  private(set) var octets = Scratch()
  private(set) var ends = ContiguousArray<Int>()
  let most: Int
  private var room: Reservation

  init(limits: Limits) {
    (most, room) = (limits.messageBytes, Reservation(limits.assembledBytes))
  }

  /// The announced number of attachments.
  var announced: Int { packet.attachments }
  var isWhole: Bool { ends.count >= announced }

  /// Copies a packet that announces attachments; false when there is no room for it.
  mutating func begin(
    _ packet: SocketIOPacket, _ sent: RawSpan, from start: Int, _ delivery: Delivery
  ) -> Bool {
    guard room.reserve(sent.byteCount) else { return false }
    (self.packet, self.start, self.delivery) = (packet, start, delivery)
    bytes.removeAll()
    bytes.append(sent)
    octets.removeAll()
    ends.removeAll(keepingCapacity: true)
    isOpen = true
    return true
  }

  /// The next attachment; false when there is no room for it.
  mutating func append(_ attachment: RawSpan) -> Bool {
    let size = bytes.count + octets.count + attachment.byteCount
    guard size <= most, room.reserve(size) else { return false }
    octets.append(attachment)
    ends.append(octets.count)
    return true
  }

  /// - Returns: nil when it has not come.
  func range(ofAttachment number: Int) -> ByteRange? {
    guard number < ends.count else { return nil }
    return ByteRange(number > 0 ? ends[number - 1] : 0, ends[number])
  }

  /// The packet was reported.
  mutating func end() {
    isOpen = false
    bytes.removeAll()
    octets.removeAll()
    bytes.shrink(above: Self.usualRoom)
    octets.shrink(above: Self.usualRoom)
    ends.removeAll(keepingCapacity: true)
    room.giveBack()
  }
}
