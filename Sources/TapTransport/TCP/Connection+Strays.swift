// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// SYNs and resets that may not be genuine; whether the connection goes on decides.
extension Connection {
  /// A SYN inside an open connection. RFC 5961 §4: its receiver answers with an acknowledgment for
  /// the old connection, and accepts the SYN only if it has lost that one.
  struct Proposal: Sendable, BitwiseCopyable {
    var segment: Segment
    var fromLow: Bool
    var stamp: PacketStamp

    /// Whether a segment shows that the SYN opened another connection.
    func isAccepted(by other: Segment, fromLow: Bool) -> Bool {
      if other.flags.contains(.syn) && fromLow == self.fromLow { return false }
      let next = segment.sequence + 1
      if fromLow == self.fromLow { return other.sequence == next }
      return other.flags.contains(.ack) && other.acknowledgement == next
    }
  }

  /// Bytes that are kept of an end that goes on after the other end's reset.
  private static let afterlife = 64 << 10

  /// Notes a SYN that opens another connection if anybody answers it.
  ///
  /// - Returns: false if the old connection cannot go on, so that the SYN does open another one.
  mutating func propose(_ segment: Segment, fromLow: Bool, _ stamp: PacketStamp) -> Bool {
    guard !isClosed, hasLayer, low.isKnown, high.isKnown, segment.length == 0,
      !segment.flags.contains(.ack)
    else { return false }
    var bare = segment
    (bare.start, bare.payload) = (0, 0)
    proposal = Proposal(segment: bare, fromLow: fromLow, stamp: stamp)
    return true
  }

  /// Whether a segment shows that the end that sent the reset did not close: it continues its
  /// stream, or acknowledges bytes that were sent after the reset.
  mutating func isRevived(by segment: Segment, fromLow: Bool) -> Bool {
    guard isClosed, wasReset, fromLow == resetFromLow, low.fin < 0, high.fin < 0 else {
      return false
    }
    let (own, other) = fromLow ? (low, high) : (high, low)
    guard own.isKnown, own.next == segment.sequence else { return false }
    if segment.length > 0 { return true }
    return segment.flags.contains(.ack) && !other.waiting.isEmpty
      && other.next.distance(to: segment.acknowledgement) > 0
  }

  /// Bytes after the end are only counted. After a reset, bytes of the other end are kept until it
  /// is clear whether the connection goes on.
  static func receiveAfterClose(
    _ segment: Segment, _ bytes: RawSpan, _ half: inout Half, _ mayContinue: Bool,
    _ context: StreamContext,
    _ listener: any Listener
  ) {
    if bytes.isEmpty { return }
    var past = 0
    let position = half.position(of: segment.first)
    if half.isKnown { past = Reassembler.reportPast(bytes, position, &half, context, listener) }
    let rest = bytes.dropping(past)
    if rest.isEmpty { return }
    guard mayContinue, half.isKnown, position &- half.offset < Int64(afterlife),
      half.waiting.cost < afterlife
    else { return listener.account(.afterClose, rest.byteCount) }
    let edges: Delivery.Edges = past == 0 ? [.start, .end] : .end
    let overlap = half.waiting.insert(
      rest, at: position &+ Int64(past), edges: edges, cut: 0, context.stamp)
    if overlap.repeated > 0 { listener.account(.repeated, overlap.repeated) }
  }

  /// Bytes that are kept although the connection is closed.
  var keptOctets: Int { isClosed ? low.waiting.octets &+ high.waiting.octets : 0 }

  /// Continues the connection as one whose beginning was not captured: the layer has finished with
  /// the reset, and a new one is chosen.
  mutating func revive(_ stamp: PacketStamp, _ listener: any Listener) {
    (isClosed, wasReset, hasLayer, isNotedClosed) = (false, false, false, false)
    (isFromStart, isRevival) = (false, true)
    listener.finding(
      .resetRefuted, .warning, context(fromLow: resetFromLow, stamp).delivery(0).origin,
      "the connection was reported as reset, but both sides go on: the rest is read as one whose"
        + " beginning is not known")
  }

  /// Passes on the bytes that were kept since the reset.
  mutating func resume(_ shared: inout Shared, _ listener: any Listener) {
    shared.waitingBytes &+= low.waiting.cost &+ high.waiting.cost
    let before = low.waiting.cost &+ high.waiting.cost
    Reassembler.drain(&low, &above, context(fromLow: true, last), listener)
    Reassembler.drain(&high, &above, context(fromLow: false, last), listener)
    shared.waitingBytes &+= low.waiting.cost &+ high.waiting.cost &- before
  }
}
