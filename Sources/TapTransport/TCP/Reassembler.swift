// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Brings the segments of one direction in order and passes them on (RFC 9293 §3.4, §3.10.7.4), as
/// a bystander sees them.
///
/// State: none of its own. The `Half` is lent to it, apart from the layer above, so that bytes of
/// one can be lent to the other.
///
/// Overlap: the first bytes win. A sum of each of the last segments is kept (`Digests`), so that a
/// retransmission with other content is a finding; the bytes are not kept. Of segments longer than
/// `Digests.wholeBytes` only the ends are summed. Layers that read nothing pass such findings over
/// (`Layer.doubt`).
///
/// Holes: a hole waits `Limits.patience` of capture time, or `acknowledgedPatience` once the
/// receiver has acknowledged it. Then it is a `tcp.gap` finding, and every layer is told of the
/// gap. Where only an acknowledgement shows the hole, that takes a second one, later, or an empty
/// segment of the sender from beyond it: a single one may be forged, or captured ahead of what it
/// acknowledges. Bytes that arrive for it after all take the gap back. If the receiver denies that
/// it is beyond the hole (`Half.wasDenied`), the hole is waited for, and what waits behind it is a
/// stray segment when the stream passes below it for long, or ends.
///
/// Order of both directions: a segment that acknowledges bytes of the other side that were not
/// captured yet waits at a barrier (`Half+Order`), so that messages are told in the order of
/// sending. How late bytes are captured is measured (`Shared.lateness`).
///
/// Resets and SYNs: a reset is believed at the sequence number that is awaited; any other is a
/// `PendingReset` until one side goes on. A connection that goes on after a reset is read again
/// with a layer that knows nothing of its beginning (`revive`). A SYN inside an open connection is
/// a
/// `Proposal` until it is answered. Without a SYN, bytes that only begin connections
/// (`Chooser.isBeginning`), at a number that the old connection cannot have reached, begin a new
/// one.
///
/// Checksums: believed once several segments of a direction agree (`Checksums`). A segment with a
/// wrong one waits until another copy comes, or the receiver acknowledges it.
enum Reassembler {
  @inline(__always)
  static func receive(
    _ segment: Segment, _ packet: RawSpan, _ half: inout Half, _ above: inout any Layer,
    _ way: StreamContext, _ shared: inout Shared, _ listener: any Listener
  ) {
    // What nearly every segment is: the next one, whole, with nothing missing before it.
    if segment.first == half.next && segment.captured == segment.length && segment.length > 0
      && half.isWhole && half.fin < 0 && !segment.flags.contains(.fin)
      && half.isPassable(half.barrier)
    {
      if !receiveNext(segment, packet, &half, &above, way, listener) {
        hold(packet.extracting(segment.range), segment, &half, way)
      }
    } else if segment.length > 0 || segment.flags.contains(.fin) {
      let octets = packet.extracting(segment.range)
      receiveSlowly(segment, octets, &half, &above, way, &shared, listener)
    } else if half.isOnlyAcknowledged {
      half.confirm(segment.sequence)
    }
  }

  /// Passes on the segment that is awaited, whole.
  ///
  /// - Returns: false when it was damaged on its way, and nothing was done.
  @inline(__always)
  static func receiveNext(
    _ segment: Segment, _ packet: RawSpan, _ half: inout Half, _ above: inout any Layer,
    _ way: StreamContext, _ listener: any Listener
  ) -> Bool {
    let bytes = packet.extracting(segment.payload..<segment.payload &+ segment.length)
    if !note(segment, packet, bytes, &half) { return false }
    above.receive(bytes, way.delivery(half.offset, edges: [.start, .end]), listener)
    half.advance(Int64(segment.length))
    half.isGuess = false
    return true
  }

  /// Remembers what the segment says; answers whether it is what was sent, as far as checksums are
  /// looked at: of long segments only until it is known what right ones are like.
  @inline(__always)
  private static func note(
    _ segment: Segment, _ packet: RawSpan, _ bytes: RawSpan, _ half: inout Half
  ) -> Bool {
    let isShort = segment.length <= Digests.wholeBytes
    let isJudged = !half.checksums.isOff && (isShort || !half.checksums.areKnown)
    var digest: UInt32 = 0
    if isJudged || isShort {
      let sum = bytes.wordSum
      let header = packet.extracting(segment.start..<segment.payload)
      if isJudged && half.checksums.isWrong(header, segment.length, sum) { return false }
      digest = Digests.fold(sum)
    }
    if !isShort { digest = Digests.digest(ofEnds: bytes) }
    half.digests.note(segment.first, segment.length, digest)
    return true
  }

  @inline(never)
  private static func receiveSlowly(
    _ segment: Segment, _ octets: RawSpan, _ half: inout Half, _ above: inout any Layer,
    _ way: StreamContext, _ shared: inout Shared, _ listener: any Listener
  ) {
    let before = half.waiting.cost
    let hadHole = half.waiting.first.map { $0.start > half.offset } ?? false
    place(segment, octets, &half, &above, way, listener)
    drain(&half, &above, way, listener, filled: hadHole ? way.stamp.time : .unknown)
    if !half.damaged.isEmpty { dropDamaged(&half, above, way, listener) }
    shared.waitingBytes &+= half.waiting.cost &- before
    keepBounds(&half, &above, way, &shared, listener)
    half.watch(way.stamp, shared)
    finishIfDone(&half, &above, way, listener)
  }

  /// Delivers the payload if it is its turn, keeps it if its turn will come.
  private static func place(
    _ segment: Segment, _ octets: RawSpan, _ half: inout Half, _ above: inout any Layer,
    _ way: StreamContext, _ listener: any Listener
  ) {
    let clock = way.stamp.clock
    let bytes = octets.dropping(segment.headerLength)
    if half.isGuess && half.offset == 0 && half.waiting.isEmpty
      && half.position(of: segment.first) == 1
    {
      // RFC 9293 §3.8.4: the first we saw was a keep-alive, which repeats the byte before.
      half.begin(at: segment.first)
    }
    half.isGuess = false
    var position = half.position(of: segment.first)
    guard position &- half.offset <= Half.reach else {
      return tellTooFar(&half, bytes.byteCount, way, listener)
    }
    if position < half.offset && !bytes.isEmpty {
      takeBack(from: position, bytes.byteCount, &half, &above, way, listener)
      position = half.position(of: segment.first)
    }
    // The stream goes on where a FIN was said to end it.
    if half.isDenied, half.fin >= 0, position <= half.offset,
      position &+ Int64(bytes.byteCount) > half.fin
    {
      dropFIN(&half, way, listener)
    }
    let sent = bytes.extracting(
      0..<countBeforeFIN(bytes.byteCount, position, half, listener))
    let skipped = tellPast(sent, position, &half, way, listener)
    if skipped > 0 { compare(segment, octets, &half, above, way, listener) }
    let rest = sent.dropping(skipped)
    let isWholeTail = sent.byteCount == bytes.byteCount
    var cut = isWholeTail ? segment.length &- segment.captured : 0
    if half.fin >= 0 {
      cut = max(0, min(cut, Int(half.fin &- position) &- segment.captured))
    }
    var edges: Delivery.Edges = skipped == 0 ? .start : []
    if isWholeTail && cut == 0 { edges.insert(.end) }

    let start = position &+ Int64(skipped)
    let goesOn = start == half.offset && rest.byteCount > 0
    let isHeld = !half.isPassable(half.barrier) || half.isHeld
    if goesOn && !isHeld && (!half.waiting.isEmpty || half.fin > half.offset) {
      pass(rest, &half, way, listener)
    }
    let isFree = start &+ Int64(rest.byteCount) <= half.waiting.first?.start ?? .max
    if start == half.offset && isFree && (!isHeld || rest.isEmpty && cut > 0) {
      if half.acknowledged > half.offset { half.measureLateness(clock) }
      if !rest.isEmpty {
        half.digests.note(half.next, rest)
        above.receive(rest, way.delivery(half.offset, edges: edges), listener)
        // In order, though they were acknowledged before: the rest is waited for anew.
        if half.isOnlyAcknowledged { half.mark = 0 }
        half.advance(Int64(rest.byteCount))
      }
      if cut > 0 { half.notice(cutUntil: half.offset &+ Int64(cut), clock) }
    } else if start < half.offset {
      // All of it was there before; what was cut off behind it may reach further.
      let end = start &+ Int64(cut)
      if cut > 0 && end > half.offset { half.notice(cutUntil: end, clock) }
    } else if !rest.isEmpty || cut > 0 || isHeld {
      if half.waiting.isEmpty { half.forgetDenial() }
      let overlap = half.waiting.insert(
        rest, at: start, edges: edges, cut: cut, way.stamp, half.barrier)
      if overlap.repeated > 0 { listener.account(.repeated, overlap.repeated) }
      if overlap.differs { tellDifference(start, rest.byteCount, above, way, listener) }
    }
    if segment.flags.contains(.fin) {
      let end = position &+ Int64(segment.length)
      if end == half.offset && half.isDenied { dropStrays(before: .max, &half, way, listener) }
      half.notice(fin: end, clock)
    }
  }

  /// How much of the bytes lies before the FIN; behind it the sender had nothing to say.
  private static func countBeforeFIN(
    _ count: Int, _ position: Int64, _ half: Half, _ listener: any Listener
  ) -> Int {
    guard half.fin >= 0, position &+ Int64(count) > half.fin else { return count }
    let kept = Int(max(half.fin &- position, 0))
    listener.account(.afterClose, count &- kept)
    return kept
  }

  /// Delivers what waited for the bytes that are there now.
  ///
  /// - Parameters:
  ///   - filled: when the hole was filled that it waited behind: nobody can have read it earlier.
  ///   - reached: when the other end was captured to have come as far as its sender knew.
  static func drain(
    _ half: inout Half, _ above: inout any Layer, _ way: StreamContext, _ listener: any Listener,
    filled: Instant = .unknown, reached: Instant = .unknown
  ) {
    var count = 0
    while count < half.waiting.count {
      // A copy of the struct, not of the bytes: they stay shared until the piece is removed.
      let piece = half.waiting[count]
      guard piece.start <= half.offset, half.isPassable(piece.barrier) else { break }
      if piece.barrier > half.ignored {
        half.holdsInVain = 0
        if reached.isKnown {
          var origin = way.delivery(half.offset).origin
          origin.time = reached
          listener.follows(origin)
        }
      }
      // Bytes go by the packet that carried them, not by the one that closed the hole.
      var own = way.seen(piece.stamp)
      own.stamp.time = max(own.stamp.time, filled)
      if !piece.octets.isEmpty {
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
    tellWaiting(&half, way, listener)
  }

  /// Says whether something waits, for bytes before it or for the other end.
  static func tellWaiting(_ half: inout Half, _ way: StreamContext, _ listener: any Listener) {
    guard !half.waiting.isEmpty || half.hasHole && half.fin > half.offset else {
      return half.wait.end(listener)
    }
    let first = half.waiting.first?.stamp ?? way.stamp
    half.wait.begin(way.seen(first).delivery(half.offset).origin, listener)
  }

  /// Too much waits behind a hole: it is not worth waiting for.
  private static func keepBounds(
    _ half: inout Half, _ above: inout any Layer, _ way: StreamContext, _ shared: inout Shared,
    _ listener: any Listener
  ) {
    while !half.waiting.isEmpty,
      half.waiting.cost > shared.limits.reorderBytes
    {
      giveUp(half.holeEnd, .tooMuch, &half, &above, way, &shared, listener)
    }
  }

  /// Tells the layer above that the sender is done, when all before its FIN was delivered.
  static func finishIfDone(
    _ half: inout Half, _ above: inout any Layer, _ way: StreamContext, _ listener: any Listener
  ) {
    guard half.fin >= 0, half.offset >= half.fin, !half.isFinished, half.waiting.isEmpty else {
      return
    }
    half.isFinished = true
    above.finish(.half, way.delivery(half.offset), listener)
  }
}
