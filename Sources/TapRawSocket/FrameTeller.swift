// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Whole frames: passes messages up and tells PING and PONG.
enum FrameTeller {
  @inline(__always)
  static func whole(
    _ header: FrameHeader, _ payload: RawSpan, _ delivery: Delivery, from record: UInt64,
    _ half: inout Half, _ other: inout Half, _ above: inout any Layer, _ limits: FrameLimits,
    _ listener: any Listener
  ) {
    let size = FrameHeader.size &+ header.length
    if half.tellsFrames && header.isKnown {
      framed(header, wireBytes: size, from: record, delivery, listener)
    }
    if header.kind == FrameHeader.Kind.message {
      half.seen.messages &+= 1
      half.seen.bytes &+= size
      half.told &+= size
      return pass(payload, delivery, half.serializer, &above, listener)
    }
    control(header, payload, delivery, &half, &other, limits, listener)
  }

  /// Tells how the message that comes next was carried.
  @inline(never)
  private static func framed(
    _ header: FrameHeader, wireBytes: Int, from record: UInt64, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    var framing = Framing(
      opcode: header.kind, isMasked: false, key: 0, wireBytes: wireBytes, firstRecord: record,
      delivery.origin)
    framing.carrier = .rawSocket
    listener.framed(framing)
  }

  private static func pass(
    _ bytes: RawSpan, _ delivery: Delivery, _ serializer: Serializer?, _ above: inout any Layer,
    _ listener: any Listener
  ) {
    var lent = delivery
    lent.kind = serializer?.kind ?? .binary
    lent.edges = []
    if lent.kind == .text, let at = UTF8.firstInvalid(in: bytes) {
      lent.kind = .brokenText
      above.receive(bytes, lent, listener)
      listener.finding(
        Finding(
          .invalidUTF8, .error, delivery.origin,
          "a message in JSON is not UTF-8 from its byte \(at) on", isAboutLastMessage: true))
      return
    }
    above.receive(bytes, lent, listener)
  }

  private static func control(
    _ header: FrameHeader, _ payload: RawSpan, _ delivery: Delivery, _ half: inout Half,
    _ other: inout Half, _ limits: FrameLimits, _ listener: any Listener
  ) {
    let size = FrameHeader.size &+ header.length
    // A type without a meaning makes no message; its finding was told with its header.
    guard header.isKnown else { return listener.account(.incomplete, size) }
    half.told &+= size
    let isPing = header.kind == FrameHeader.Kind.ping
    let key = Heartbeat.tell(isPing: isPing, payload, delivery, listener)
    tellEarlyPongs(before: delivery.origin.time, &half, listener)
    tellEarlyPongs(before: delivery.origin.time, &other, listener)
    if isPing {
      if let place = other.earlyPongs.firstIndex(where: { $0.key == key }) {
        other.earlyPongs.remove(at: place)
        return
      }
      half.pings.append(key)
      if half.pings.count > limits.pings {
        half.pings.removeFirst()
        half.mayLackPings = true
      }
    } else if let place = other.pings.firstIndex(of: key) {
      other.pings.remove(at: place)
    } else if !other.mayLackPings {
      let pinger = delivery.origin.direction == .toServer ? "router" : "client"
      let finding = Finding(
        .pongMismatch, .warning, delivery.origin,
        other.pings.isEmpty
          ? "a PONG, but no PING of the \(pinger) waits for one"
          : "a PONG with another payload than that of any PING that waits for one")
      half.earlyPongs.append((key, finding))
      if half.earlyPongs.count > limits.pings {
        listener.finding(half.earlyPongs.removeFirst().finding)
      }
    }
  }

  /// Capture time by which packets of two directions may be out of order, in nanoseconds.
  private static let disorder: Int64 = 1_000_000_000

  /// Tells of the PONGs that no PING has followed in time; of all where no more will come.
  static func tellEarlyPongs(
    before time: Instant?, _ half: inout Half, _ listener: any Listener
  ) {
    while let first = half.earlyPongs.first {
      let sent = first.finding.origin.time
      if let time,
        !sent.isKnown || !time.isKnown
          || time.nanoseconds &- sent.nanoseconds < disorder
      {
        return
      }
      listener.finding(half.earlyPongs.removeFirst().finding)
    }
  }

  /// A frame that came to its end, but cannot be told.
  static func broken(
    _ frame: Half.Pending, _ delivery: Delivery, _ half: inout Half, _ above: inout any Layer,
    _ listener: any Listener
  ) {
    let length = frame.header.length
    let size = FrameHeader.size + length - frame.missing
    if frame.header.kind == FrameHeader.Kind.message {
      half.seen.messages &+= 1
      half.seen.bytes &+= FrameHeader.size + length
    } else if frame.header.kind == FrameHeader.Kind.ping {
      half.mayLackPings = true
    }
    listener.account(.incomplete, size)
    guard frame.header.isKnown else { return }
    var finding: Finding
    if frame.missing > 0 {
      finding = Finding(
        .messageIncomplete, .warning, delivery.origin,
        "\(frame.missing) bytes of a message were not captured; \(size) were, and are not shown")
    } else {
      finding = Finding(
        .messageTooLarge, .warning, delivery.origin,
        frame.hasNoRoom
          ? "very much is being put together at once, and leaves no room for a message; its"
            + " \(size) bytes are not shown"
          : "a message is larger than the limit; its \(size) bytes are not shown")
    }
    finding.lostMessages = 1
    listener.finding(finding)
    // What is not passed up might have said anything.
    if frame.header.kind == FrameHeader.Kind.message { above.gap(nil, delivery, listener) }
  }
}
