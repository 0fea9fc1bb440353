// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Bytes that come too late, or whose sequence number cannot be right.
extension Reassembler {
  /// Bytes may arrive for a hole that was given up while nothing followed it: the stream then goes
  /// on there. The layer above was already told of the gap, which cannot be undone, so it is
  /// told of another one of unknown size.
  static func takeBack(
    from position: Int64, _ count: Int, _ half: inout Half, _ above: inout any Layer,
    _ context: StreamContext,
    _ listener: any Listener
  ) {
    let found = half.takeBack(from: position, to: position &+ Int64(count))
    if found == 0 { return }
    var finding = Finding(
      .gapTakenBack, .warning, context.delivery(half.offset).origin,
      "\(counted(found, "byte")) \(context.directionWords) were reported missing, and nothing had"
        + " followed them; the stream goes on at offset \(half.offset): they were not lost, or were"
        + " acknowledged without having been sent")
    finding.foundBytes = UInt64(found)
    listener.finding(finding)
    above.gap(nil, context.delivery(half.offset), listener)
  }

  /// Accounts for the part of `bytes` before the expected byte; returns its length.
  ///
  /// Most of it was delivered before. Bytes of a hole that was given up were not, nor bytes before
  /// the first one seen.
  static func reportPast(
    _ bytes: RawSpan, _ position: Int64, _ half: inout Half, _ context: StreamContext,
    _ listener: any Listener
  ) -> Int {
    let end = min(position &+ Int64(bytes.byteCount), half.offset)
    guard end > position else { return 0 }
    var late: Int64 = 0
    // RFC 9293 §3.8.4: a keep-alive may carry one byte, numbered one below the next.
    let isKeepAlive = position == -1 && bytes.byteCount == 1
    if position < 0 && !isKeepAlive {
      late = min(end, 0) &- position
      if !half.reportedTooEarly {
        half.reportedTooEarly = true
        let severity: Finding.Severity = half.hasMissedBeginning ? .warning : .note
        reportLate(
          late, position, "before the first byte that was captured", context, listener, severity)
      }
    }
    for index in half.holes.indices {
      let inside =
        min(end, half.holes[index].end) &- max(position, half.holes[index].start)
      if inside <= 0 { continue }
      if late == 0 {
        half.measureLateness(in: half.holes[index], from: position, context.stamp.clock)
      }
      late &+= inside
      if half.holes[index].wasReported { continue }
      half.holes[index].wasReported = true
      let start = max(position, half.holes[index].start)
      reportLate(inside, start, "after they were given up as missing", context, listener)
    }
    if late > 0 { listener.account(.incomplete, Int(late)) }
    let repeated = end &- position &- late
    if repeated > 0 { listener.account(.repeated, Int(repeated)) }
    return Int(end &- position)
  }

  /// Rejects bytes with a sequence number that this stream cannot have reached.
  static func reportTooFar(
    _ half: inout Half, _ count: Int, _ context: StreamContext, _ listener: any Listener
  ) {
    if count == 0 { return }
    listener.account(.incomplete, count)
    if half.reportedTooFar { return }
    half.reportedTooFar = true
    reportLate(
      Int64(count), half.offset, "with a sequence number out of any window", context, listener)
  }

  private static func reportLate(
    _ count: Int64, _ position: Int64, _ how: String, _ context: StreamContext,
    _ listener: any Listener,
    _ severity: Finding.Severity = .note
  ) {
    listener.finding(
      .lateSegment, severity, context.delivery(max(position, 0)).origin,
      "\(counted(count, "byte")) \(context.directionWords) came \(how); they are not used")
  }
}
