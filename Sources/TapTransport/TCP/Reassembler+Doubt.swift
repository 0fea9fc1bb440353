// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Segments that were damaged, or whose content differs from what was delivered before.
extension Reassembler {
  /// Whether a segment has a wrong checksum.
  static func isDamaged(_ segment: Segment, _ octets: RawSpan, _ half: inout Half) -> Bool {
    guard 1...Checksums.mostBytes ~= segment.length, segment.captured == segment.length,
      !half.checksums.isOff
    else { return false }
    let header = octets.extracting(0..<segment.headerLength)
    let sum = octets.dropping(segment.headerLength).wordSum
    return half.checksums.isWrong(header, segment.length, sum)
  }

  /// Holds back the next segment because its checksum is wrong: the receiver drops it, and the
  /// sender will send another copy.
  @inline(never)
  static func hold(
    _ octets: RawSpan, _ segment: Segment, _ half: inout Half, _ context: StreamContext,
    _ listener: any Listener
  ) {
    var piece = Waiting.Piece(
      start: half.offset, edges: [.start, .end], cut: 0, stamp: context.stamp)
    piece.octets.append(octets.dropping(segment.headerLength))
    hold(piece, &half, listener)
  }

  static func hold(_ piece: Waiting.Piece, _ half: inout Half, _ listener: any Listener) {
    // Of several damaged copies, the first is as good as any.
    guard half.damaged.isEmpty else { return listener.account(.repeated, piece.octets.count) }
    half.damaged = [piece]
    half.notice(cutUntil: piece.end, piece.stamp.clock)
  }

  /// Bytes have come whose damaged copy waits for earlier ones: makes room for them.
  static func replaceDamaged(
    _ start: Int64, _ end: Int64, _ half: inout Half, _ above: any Layer,
    _ context: StreamContext, _ listener: any Listener
  ) {
    while let piece = half.waiting.removeDamaged(from: start, to: end) {
      reportReplaced(piece, piece.octets.count, above, context, listener)
    }
  }

  /// Bytes that were just delivered have replaced a damaged copy of them.
  static func dropDamaged(
    _ half: inout Half, _ above: any Layer, _ context: StreamContext, _ listener: any Listener
  ) {
    let start = half.damaged[0].start
    let count = Int(min(half.offset, half.damaged[0].end) &- start)
    if count <= 0 { return }
    reportReplaced(half.damaged[0], count, above, context, listener)
    half.damaged[0].octets.removeFirst(count)
    half.damaged[0].start &+= Int64(count)
    half.damaged[0].edges.remove(.start)
    if half.damaged[0].octets.isEmpty { half.damaged = [] }
  }

  private static func reportReplaced(
    _ piece: Waiting.Piece, _ count: Int, _ above: any Layer, _ context: StreamContext,
    _ listener: any Listener
  ) {
    listener.account(.repeated, count)
    above.doubt(
      Finding(
        .damagedSegment, .note, context.seen(piece.stamp).delivery(piece.start).origin,
        "\(counted(count, "byte")) \(context.directionWords) came with a wrong checksum; those of"
          + " another copy, in packet \(context.stamp.number), are used"),
      listener)
  }

  /// Uses a damaged copy because there is no other; false if there is none.
  static func useDamaged(
    _ half: inout Half, _ above: inout any Layer, _ context: StreamContext, _ shared: inout Shared,
    _ listener: any Listener
  ) -> Bool {
    guard var piece = half.damaged.first else { return false }
    if let next = half.waiting.first?.start, next < piece.end {
      listener.account(.repeated, Int(piece.end &- next))
      piece = piece.part(from: piece.start, to: next)
    }
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
    _ segment: Segment, _ bytes: RawSpan, _ isDamaged: Bool, _ half: Half, _ above: any Layer,
    _ context: StreamContext, _ listener: any Listener
  ) {
    // RFC 9293 §3.8.4: a keep-alive may carry one byte with any content.
    let isKeepAlive = bytes.byteCount == 1 && segment.first + 1 == half.next
    guard !isKeepAlive, half.digests.compare(bytes, at: segment.first).different > 0 else {
      return
    }
    reportDifference(
      half.position(of: segment.first), bytes.byteCount, isDamaged, above, context, listener)
  }

  static func reportDifference(
    _ position: Int64, _ count: Int, _ isDamaged: Bool, _ above: any Layer,
    _ context: StreamContext, _ listener: any Listener
  ) {
    let origin = context.delivery(max(position, 0)).origin
    let finding =
      isDamaged
      ? Finding(
        .damagedSegment, .note, origin,
        "\(counted(count, "byte")) \(context.directionWords) came once more, with other content"
          + " and a wrong checksum; they are not used")
      : Finding(
        .overlapDiffers, .warning, origin,
        "a segment of \(counted(count, "byte")) \(context.directionWords) repeats bytes with other"
          + " content; those that came first are used")
    above.doubt(finding, listener)
  }
}
