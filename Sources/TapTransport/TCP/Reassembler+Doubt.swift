// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Segments that were damaged, or whose content differs from what was delivered before.
extension Reassembler {
  /// Holds back the next segment because its checksum is wrong: the receiver drops it, and the
  /// sender will send another copy.
  @inline(never)
  static func hold(
    _ octets: RawSpan, _ segment: Segment, _ half: inout Half, _ context: StreamContext
  ) {
    var piece = Waiting.Piece(
      start: half.offset, edges: [.start, .end], cut: 0, stamp: context.stamp)
    piece.octets.append(octets.dropping(segment.headerLength))
    half.damaged = [piece]
    half.notice(cutUntil: piece.end, context.stamp.clock)
  }

  /// Bytes that were just delivered have replaced a damaged copy of them.
  static func dropDamaged(
    _ half: inout Half, _ above: any Layer, _ context: StreamContext, _ listener: any Listener
  ) {
    let start = half.damaged[0].start
    let count = Int(min(half.offset, half.damaged[0].end) &- start)
    if count <= 0 { return }
    listener.account(.repeated, count)
    let own = context.seen(half.damaged[0].stamp)
    above.doubt(
      Finding(
        .damagedSegment, .note, own.delivery(start).origin,
        "\(counted(count, "byte")) \(context.directionWords) came with a wrong checksum; those of"
          + " another copy, in packet \(context.stamp.number), are used"),
      listener)
    half.damaged[0].octets.removeFirst(count)
    half.damaged[0].start &+= Int64(count)
    half.damaged[0].edges.remove(.start)
    if half.damaged[0].octets.isEmpty { half.damaged = [] }
  }

  /// Uses a damaged copy because there is no other; false if there is none.
  static func useDamaged(
    _ half: inout Half, _ above: inout any Layer, _ context: StreamContext, _ shared: inout Shared,
    _ listener: any Listener
  ) -> Bool {
    guard let piece = half.damaged.first else { return false }
    let own = context.seen(piece.stamp)
    let reason =
      half.isDamageAcknowledged
      ? "the receiver acknowledged them" : "no other copy of them was captured"
    // The receiver accepted it, so either it ignores checksums, or the capture got them wrong.
    if half.isDamageAcknowledged { half.checksums.giveUp() }
    above.doubt(
      Finding(
        .damagedSegment, .warning, own.delivery(piece.start).origin,
        "\(counted(piece.octets.count, "byte")) \(context.directionWords) came with a wrong"
          + " checksum, and are used as they are: \(reason)"),
      listener)
    half.damaged = []
    half.digests.note(half.next, piece.octets.bytes)
    above.receive(piece.octets.bytes, own.delivery(piece.start, edges: piece.edges), listener)
    half.advance(Int64(piece.octets.count))
    let before = half.waiting.cost
    drain(&half, &above, context, listener)
    shared.waitingBytes &+= half.waiting.cost &- before
    return true
  }

  /// Compares a segment with what was already delivered of the same bytes.
  static func compare(
    _ segment: Segment, _ octets: RawSpan, _ half: inout Half, _ above: any Layer,
    _ context: StreamContext, _ listener: any Listener
  ) {
    let bytes = octets.dropping(segment.headerLength)
    // RFC 9293 §3.8.4: a keep-alive may carry one byte with any content.
    let isKeepAlive = bytes.byteCount == 1 && segment.first + 1 == half.next
    guard !isKeepAlive, half.digests.compare(bytes, at: segment.first).different > 0 else {
      return
    }
    let position = half.position(of: segment.first)
    let header = octets.extracting(0..<segment.headerLength)
    let isWrong =
      half.checksums.areKnown && segment.captured == segment.length
      && half.checksums.isWrong(header, segment.length, bytes.wordSum)
    if !isWrong { return reportDifference(position, bytes.byteCount, above, context, listener) }
    above.doubt(
      Finding(
        .damagedSegment, .note, context.delivery(max(position, 0)).origin,
        "\(counted(bytes.byteCount, "byte")) \(context.directionWords) came once more, with other"
          + " content and a wrong checksum; they are not used"),
      listener)
  }
}
