// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Puts the segments of one direction in order and passes their bytes on (RFC 9293 §3.4,
/// §3.10.7.4), as an observer sees them.
///
/// State: none of its own. The `Half` and the layer above are passed separately, so that bytes of
/// one can be lent to the other.
///
/// Overlap: the bytes that came first win. A checksum of each recent segment is kept (`Digests`),
/// but not its bytes, so that a retransmission with other content is reported. Layers that read
/// nothing drop such findings (`Layer.doubt`).
///
/// Holes: a hole waits for `Limits.gapTimeout` of capture time, or for `acknowledgedGapTimeout`
/// once the receiver has acknowledged it. Then it is reported as `tcp.gap`, and every layer is told
/// of it. If only an acknowledgment shows the hole, a second one is needed, later, or an empty
/// segment of the sender from beyond the hole: a single one may be forged, or captured before the
/// bytes it acknowledges. If bytes arrive for such a hole after all, the gap is taken back. While
/// the receiver acknowledges nothing beyond the hole (`Half.wasUnacknowledged`), the hole stays
/// open, and what waits after it becomes a stray segment if the stream goes on below it for long or
/// ends.
///
/// Order of both directions: a segment that acknowledges bytes of the other side that were not
/// captured yet waits at a barrier (`Half+Order`), so that messages are reported in the order in
/// which they were sent. How late bytes are captured is measured (`Shared.lateness`).
///
/// Resets and SYNs: a reset is believed at the expected sequence number, as soon as all that its
/// sender had received has come, or does not come in time; any other is a `PendingReset` until one
/// side goes on. A connection that goes on after a reset gets a new layer
/// that knows nothing of its beginning (`revive`). A SYN inside an open connection is a `Proposal`
/// until it is answered. Even without a SYN, a new connection begins where bytes that only begin
/// connections (`Chooser.isBeginning`) come with a number that the old one cannot have reached.
///
/// Checksums: trusted once several segments of a direction agree (`Checksums`). A segment with a
/// wrong one, also one that comes too early, waits until another copy comes, or the receiver
/// acknowledges it.
enum Reassembler {
  @inline(__always)
  static func receive(
    _ segment: Segment, _ packet: RawSpan, _ half: inout Half, _ above: inout any Layer,
    _ context: StreamContext, _ shared: inout Shared, _ listener: any Listener
  ) {
    // The fast path for nearly every segment: the next one, complete, with nothing missing before
    // it.
    if segment.first == half.next && segment.captured == segment.length && segment.length > 0
      && half.isWhole && half.fin < 0 && !segment.flags.contains(.fin)
      && half.isPassable(half.barrier)
    {
      if !receiveNext(segment, packet, &half, &above, context, listener) {
        hold(packet.extracting(segment.range), segment, &half, context, listener)
      }
    } else if segment.length > 0 || segment.flags.contains(.fin) {
      let octets = packet.extracting(segment.range)
      receiveSlowly(segment, octets, &half, &above, context, &shared, listener)
    } else if half.isOnlyAcknowledged {
      half.confirm(segment.sequence)
    }
  }

  /// Passes on the expected segment, which is complete.
  ///
  /// - Returns: false when it was damaged; nothing was done then.
  @inline(__always)
  static func receiveNext(
    _ segment: Segment, _ packet: RawSpan, _ half: inout Half, _ above: inout any Layer,
    _ context: StreamContext, _ listener: any Listener
  ) -> Bool {
    let bytes = packet.extracting(segment.payload..<segment.payload &+ segment.length)
    if !note(segment, packet, bytes, &half) { return false }
    above.receive(bytes, context.delivery(half.offset, edges: [.start, .end]), listener)
    half.advance(Int64(segment.length))
    half.isGuess = false
    return true
  }

  /// Remembers the segment's digest; false if its checksum is wrong.
  @inline(__always)
  private static func note(
    _ segment: Segment, _ packet: RawSpan, _ bytes: RawSpan, _ half: inout Half
  ) -> Bool {
    let sum = bytes.wordSum
    if segment.length <= Checksums.mostBytes && !half.checksums.isOff {
      let header = packet.extracting(segment.start..<segment.payload)
      if half.checksums.isWrong(header, segment.length, sum) { return false }
    }
    half.digests.note(segment.first, segment.length, Digests.fold(sum))
    return true
  }

  @inline(never)
  private static func receiveSlowly(
    _ segment: Segment, _ octets: RawSpan, _ half: inout Half, _ above: inout any Layer,
    _ context: StreamContext, _ shared: inout Shared, _ listener: any Listener
  ) {
    let before = half.waiting.cost
    let hadHole = half.waiting.first.map { $0.start > half.offset } ?? false
    place(segment, octets, &half, &above, context, listener)
    drain(&half, &above, context, listener, filled: hadHole ? context.stamp.time : .unknown)
    if !half.damaged.isEmpty { dropDamaged(&half, above, context, listener) }
    shared.waitingBytes &+= half.waiting.cost &- before
    keepBounds(&half, &above, context, &shared, listener)
    half.watch(context.stamp, shared)
    finishIfDone(&half, &above, context, listener)
  }

  /// Delivers the payload if it is next, keeps it if it is further ahead.
  private static func place(
    _ segment: Segment, _ octets: RawSpan, _ half: inout Half, _ above: inout any Layer,
    _ context: StreamContext, _ listener: any Listener
  ) {
    let clock = context.stamp.clock
    let bytes = octets.dropping(segment.headerLength)
    if half.isGuess && half.offset == 0 && half.waiting.isEmpty
      && half.position(of: segment.first) == 1
    {
      // RFC 9293 §3.8.4: the first we saw was a keep-alive, which repeats the byte before.
      half.begin(at: segment.first)
    }
    half.isGuess = false
    let isDamaged = isDamaged(segment, octets, &half)
    var position = half.position(of: segment.first)
    guard position &- half.offset <= Half.reach else {
      return reportTooFar(&half, bytes.byteCount, context, listener)
    }
    if position < half.offset && !bytes.isEmpty {
      takeBack(from: position, bytes.byteCount, &half, &above, context, listener)
      position = half.position(of: segment.first)
    }
    // The stream goes on beyond a FIN, so the FIN was not genuine.
    if half.isUnacknowledged, half.fin >= 0, position <= half.offset,
      position &+ Int64(bytes.byteCount) > half.fin
    {
      dropFIN(&half, context, listener)
    }
    let sent = bytes.extracting(
      0..<countBeforeFIN(bytes.byteCount, position, half, listener))
    let skipped = reportPast(sent, position, &half, context, listener)
    if skipped > 0 { compare(segment, bytes, isDamaged, half, above, context, listener) }
    let rest = sent.dropping(skipped)
    let isWholeTail = sent.byteCount == bytes.byteCount
    var cut = isWholeTail ? segment.length &- segment.captured : 0
    if half.fin >= 0 {
      cut = max(0, min(cut, Int(half.fin &- position) &- segment.captured))
    }
    var edges: Delivery.Edges = skipped == 0 ? .start : []
    if isWholeTail && cut == 0 { edges.insert(.end) }

    let start = position &+ Int64(skipped)
    let end = start &+ Int64(rest.byteCount)
    if !isDamaged { replaceDamaged(start, end, &half, above, context, listener) }
    let goesOn = start == half.offset && rest.byteCount > 0 && !isDamaged
    let isHeld = !half.isPassable(half.barrier) || half.isHeld
    if goesOn && !isHeld && (!half.waiting.isEmpty || half.fin > half.offset) {
      pass(rest, &half, context, listener)
    }
    let isFree = !isDamaged && end <= half.waiting.first?.start ?? .max
    if start == half.offset && isFree && (!isHeld || rest.isEmpty && cut > 0) {
      if half.acknowledged > half.offset { half.measureLateness(clock) }
      if !rest.isEmpty {
        half.digests.note(half.next, rest)
        above.receive(rest, context.delivery(half.offset, edges: edges), listener)
        // These bytes came in order after their acknowledgment, so wait anew for the rest.
        if half.isOnlyAcknowledged { half.mark = 0 }
        half.advance(Int64(rest.byteCount))
      }
      if cut > 0 { half.notice(cutUntil: half.offset &+ Int64(cut), clock) }
    } else if start < half.offset {
      // All of it was delivered before, but what the snap length cut off may reach further.
      let end = start &+ Int64(cut)
      if cut > 0 && end > half.offset { half.notice(cutUntil: end, clock) }
    } else if !rest.isEmpty || cut > 0 || isHeld {
      if half.waiting.isEmpty { half.forgetUnacknowledged() }
      let overlap = half.waiting.insert(
        rest, at: start, edges: edges, cut: cut, context.stamp, half.barrier,
        isDamaged: isDamaged)
      if overlap.repeated > 0 { listener.account(.repeated, overlap.repeated) }
      if overlap.differs {
        reportDifference(start, rest.byteCount, isDamaged, above, context, listener)
      }
    }
    if segment.flags.contains(.fin) && !isDamaged {
      let end = position &+ Int64(segment.length)
      if end == half.offset && half.isUnacknowledged {
        dropStrays(before: .max, &half, context, listener)
      }
      half.notice(fin: end, context.stamp)
    }
  }

  /// How many of the bytes come before the FIN: none after it belong to the stream.
  private static func countBeforeFIN(
    _ count: Int, _ position: Int64, _ half: Half, _ listener: any Listener
  ) -> Int {
    guard half.fin >= 0, position &+ Int64(count) > half.fin else { return count }
    let kept = Int(max(half.fin &- position, 0))
    listener.account(.afterClose, count &- kept)
    return kept
  }

  /// Delivers waiting bytes that are next now.
  ///
  /// - Parameters:
  ///   - filled: when the hole before them was filled: the receiver could not read them earlier.
  ///   - reached: when the other end was seen to have come as far as the sender had acknowledged.
  static func drain(
    _ half: inout Half, _ above: inout any Layer, _ context: StreamContext,
    _ listener: any Listener,
    filled: Instant = .unknown, reached: Instant = .unknown
  ) {
    var count = 0
    while count < half.waiting.count {
      // Copies the struct, not the bytes: these stay shared until the piece is removed.
      let piece = half.waiting[count]
      guard piece.start <= half.offset, half.isPassable(piece.barrier) else { break }
      if piece.barrier > half.ignored {
        half.holdsInVain = 0
        if reached.isKnown {
          var origin = context.delivery(half.offset).origin
          origin.time = reached
          listener.follows(origin)
        }
      }
      // Bytes have the packet that carried them, not the one that filled the hole.
      var own = context.seen(piece.stamp)
      own.stamp.time = max(own.stamp.time, filled)
      if piece.isDamaged {
        hold(piece, &half, listener)
      } else if !piece.octets.isEmpty {
        let octets = piece.octets
        half.digests.note(half.next, octets.bytes)
        above.receive(octets.bytes, own.delivery(half.offset, edges: piece.edges), listener)
        half.advance(Int64(octets.count))
      }
      if piece.cut > 0 {
        half.notice(cutUntil: half.offset &+ Int64(piece.cut), own.stamp.clock)
      }
      count &+= 1
    }
    half.waiting.removeFirst(count)
    reportWaiting(&half, context, listener)
  }

  /// Tells the listener whether something waits, for earlier bytes or for the other end.
  static func reportWaiting(_ half: inout Half, _ context: StreamContext, _ listener: any Listener)
  {
    guard !half.waiting.isEmpty || half.hasHole && half.fin > half.offset else {
      return half.wait.end(listener)
    }
    let first = half.waiting.first?.stamp ?? context.stamp
    half.wait.begin(context.seen(first).delivery(half.offset).origin, listener)
  }

  /// Gives up a hole after which too much waits.
  private static func keepBounds(
    _ half: inout Half, _ above: inout any Layer, _ context: StreamContext, _ shared: inout Shared,
    _ listener: any Listener
  ) {
    while !half.waiting.isEmpty,
      half.waiting.cost > shared.limits.reorderBytes
    {
      giveUp(half.holeEnd, .tooMuch, &half, &above, context, &shared, listener)
    }
  }

  /// Tells the layer above that the sender is done, as in `finishIfDone`, in the packet of the FIN,
  /// where it was waited for the other end, or for what did not come.
  static func finishLate(
    _ half: inout Half, _ above: inout any Layer, _ context: StreamContext, _ listener: any Listener
  ) {
    if half.fin < 0 || half.isFinished { return }
    finishIfDone(&half, &above, half.finSeen.map(context.seen) ?? context, listener)
  }

  /// Tells the layer above that the sender is done, once everything before its FIN was delivered.
  static func finishIfDone(
    _ half: inout Half, _ above: inout any Layer, _ context: StreamContext, _ listener: any Listener
  ) {
    guard half.fin >= 0, half.offset >= half.fin, !half.isFinished, half.waiting.isEmpty else {
      return
    }
    half.isFinished = true
    above.finish(.half, context.delivery(half.offset), listener)
  }
}
