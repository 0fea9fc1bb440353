// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Bytes and FINs ahead of a stream that goes on without them, and that the receiver never
/// acknowledges: it has not accepted them as part of the stream.
extension Reassembler {
  /// The stream goes on with these bytes, below those that wait. If both overlap with different
  /// content, and the receiver has acknowledged none of the waiting ones, these are strays.
  static func pass(
    _ bytes: RawSpan, _ half: inout Half, _ context: StreamContext, _ listener: any Listener
  ) {
    let end = half.offset &+ Int64(bytes.byteCount)
    while half.isUnacknowledged, let piece = half.waiting.first, piece.start < end {
      let from = Int(piece.start &- half.offset)
      let count = min(bytes.byteCount &- from, piece.octets.count)
      let octets = piece.octets
      let isSame = octets.bytes.extracting(0..<count)
        .equals(bytes.extracting(from..<from &+ count))
      if isSame { break }
      dropStrays(before: piece.start &+ 1, &half, context, listener)
    }
    half.hasPassedBy = true
  }

  /// Drops waiting bytes that begin before `end`, and with them a FIN ahead of the stream.
  static func dropStrays(
    before end: Int64, _ half: inout Half, _ context: StreamContext, _ listener: any Listener
  ) {
    while let piece = half.waiting.first, piece.start < end {
      reportStray(piece.octets.count, piece.start, half, context.seen(piece.stamp), listener)
      listener.account(.incomplete, piece.octets.count)
      half.waiting.removeFirst(1)
    }
    if half.fin > half.offset && half.fin < end { dropFIN(&half, context, listener) }
    reportWaiting(&half, context, listener)
  }

  static func dropFIN(_ half: inout Half, _ context: StreamContext, _ listener: any Listener) {
    reportStray(0, half.fin, half, context, listener)
    half.fin = -1
  }

  private static func reportStray(
    _ count: Int, _ position: Int64, _ half: Half, _ context: StreamContext,
    _ listener: any Listener
  ) {
    let what = count == 0 ? "a FIN" : counted(count, "byte")
    listener.finding(
      .straySegment, .warning, context.delivery(position).origin,
      "\(what) \(context.directionWords) came \(counted(position &- half.offset, "byte")) ahead of"
        + " the stream, which went on below; the receiver never acknowledged it, and it is not"
        + " used"
    )
  }
}
