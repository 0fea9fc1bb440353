// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// One direction of a stream that is cut into messages.
struct FramedHalf {
  /// A message that is not complete, but whose length is known.
  struct Begun {
    let size: Int
    /// Of its first byte.
    let origin: Origin
    /// Bytes of it up to the current position, captured or not; `missing` of them were not.
    var passed: Int
    var missing = 0
    /// Why it is not assembled; nil when it is.
    var loss: MessageLoss?

    var captured: Int { passed - missing }
    var rest: Int { size - passed }
  }

  let framing: any StreamFraming
  let placesEnds: Bool
  let kind: Delivery.Kind
  let longest: Int
  /// The beginning of a message whose length is not known yet, or bytes that are searched for a
  /// message.
  var held = ResyncBuffer()
  var begun: Begun?
  /// The bytes of `begun` so far.
  var parts = Scratch()
  /// What it has reserved of the memory that all connections share.
  var room: Reservation
  /// It is not known where the next message begins.
  var isLost = false
  /// Tells the listener that bytes wait while `isLost`.
  var wait = WaitNotice()
  /// Bytes that were not captured while `isLost`; nil for none.
  var loss: FramingLoss?
  /// Captured bytes that were skipped while `isLost`.
  var passed = 0
  /// Bytes of messages reported, but not yet accounted for: one call for all saves one per message.
  var reported = 0
  /// For the estimate of how many messages a gap swallowed.
  var seen = FramingLoss.Seen()

  init(_ framing: any StreamFraming, isFromStart: Bool) {
    let traits = framing.traits
    self.framing = framing
    (placesEnds, kind, longest) = (traits.placesEnds, traits.kind, traits.longest)
    room = Reservation(traits.room)
    if isFromStart { return }
    framing.resynchronise()
    isLost = true
  }

  mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ above: inout any Layer, _ listener: any Listener
  ) {
    if begun != nil {
      let count = continueMessage(bytes, delivery, &above, listener)
      if count == bytes.byteCount { return }
      return receive(bytes.dropping(count), delivery.advanced(by: count), &above, listener)
    }
    if held.count == 0 && !isLost {
      let rest = pass(bytes, isEnd: false, &above, listener) {
        var origin = delivery.origin
        origin.offset &+= UInt64($0.start)
        return origin
      }
      if rest == bytes.byteCount { return }
      hold(bytes.dropping(rest), delivery.advanced(by: rest))
    } else {
      held.append(bytes, delivery)
      if !isLost { cut(isEnd: false, &above, listener) }
    }
    if isLost {
      wait.begin(held.origin(at: 0), listener)
      search(.more, &above, listener)
    }
    keepWithin(delivery, &above, listener)
  }

  private mutating func hold(_ bytes: RawSpan, _ delivery: Delivery) {
    guard let begun else { return held.append(bytes, delivery) }
    if begun.loss == nil { parts.append(bytes) }
  }

  /// Takes the next bytes of the current message; returns how many.
  private mutating func continueMessage(
    _ bytes: RawSpan, _ delivery: Delivery, _ above: inout any Layer, _ listener: any Listener
  ) -> Int {
    let (before, first) = (begun!.passed, begun!.origin)
    let count = min(begun!.rest, bytes.byteCount)
    begun!.passed &+= count
    hold(bytes.extracting(0..<count), delivery)
    keepWithin(delivery, &above, listener)
    if begun!.rest > 0 { return count }
    if begun!.loss != nil {
      end(delivery.advanced(by: count).origin, &above, listener)
      return count
    }
    begun = nil
    // Moved out while it is lent.
    var whole = Scratch()
    swap(&whole, &parts)
    let rest = pass(whole.bytes, isEnd: false, &above, listener) {
      var origin = $0.end <= before ? first : delivery.origin
      origin.offset = first.offset &+ UInt64($0.start)
      return origin
    }
    if rest < whole.count {
      var behind = delivery
      behind.origin.offset = first.offset &+ UInt64(rest)
      held.append(whole.bytes.dropping(rest), behind)
    }
    swap(&whole, &parts)
    dropParts()
    return count
  }

  /// Bounds what is held.
  private mutating func keepWithin(
    _ delivery: Delivery, _ above: inout any Layer, _ listener: any Listener
  ) {
    if begun != nil {
      if parts.isEmpty || room.reserve(parts.count) { return }
      begun!.loss = .noRoom
      return dropParts()
    }
    if held.count == 0 { return }
    let hasRoom = room.reserve(held.cost)
    if isLost {
      if held.cost > framing.traits.longestSearch || !hasRoom { giveUp(delivery, listener) }
      return
    }
    if held.count <= longest && hasRoom { return }
    // The end of the message is not known.
    discard(hasRoom ? .tooLong : .noRoom, delivery.origin, listener)
    lose()
    above.gap(nil, delivery, listener)
  }

  /// Passes on all complete messages; returns the number of bytes they took.
  ///
  /// - Parameter origin: gives the offset of a range's first byte, with the packet of its last
  ///   byte.
  private mutating func pass(
    _ bytes: RawSpan, isEnd: Bool, _ above: inout any Layer, _ listener: any Listener,
    origin: (ByteRange) -> Origin
  ) -> Int {
    var start = 0
    search: while start < bytes.byteCount {
      switch framing.next(in: bytes, from: start, isEnd: isEnd) {
      case .message(let range, let next) where range.count <= longest:
        reported &+= next &- start
        seen.messages &+= 1
        seen.bytes &+= next &- start
        above.receive(bytes[range], Delivery(place(origin(range), range), kind), listener)
        start = next
      case .special(let range, let next) where range.count <= longest:
        let delivery = Delivery(place(origin(range), range), kind)
        let first = origin(ByteRange(start, start + 1)).record
        switch framing.pass(bytes[range], delivery, from: first, &above, listener) {
        case .message:
          reported &+= next &- start
          seen.messages &+= 1
          seen.bytes &+= next &- start
        case .control: reported &+= next &- start
        case .nothing: listener.account(.incomplete, next - start)
        }
        start = next
      case .message(let range, let next), .special(let range, let next):
        let delivery = Delivery(place(origin(range), range))
        report(.tooLong, next - start, delivery.origin, listener)
        above.gap(nil, delivery, listener)
        start = next
      case .begun(let head, let body):
        begun = Begun(
          size: head + body, origin: origin(ByteRange(start, start + 1)),
          passed: bytes.byteCount - start, loss: body > longest ? .tooLong : nil)
        break search
      case .faults(let faults, let end):
        Self.report(faults, origin(ByteRange(start, end)), listener)
      case .broken(let faults):
        let delivery = Delivery(origin(ByteRange(start, start + 1)))
        Self.report(faults, delivery.origin, listener)
        isLost = true
        above.gap(nil, delivery, listener)
        break search
      case .skip(let next):
        reported &+= next &- start
        start = next
      case .incomplete: break search
      }
    }
    // The framing's offsets now refer to the bytes that are left.
    if start < bytes.byteCount { framing.removed(start) }
    return start
  }

  /// The origin under which a message is reported.
  @inline(__always)
  private func place(_ origin: Origin, _ range: ByteRange) -> Origin {
    if !placesEnds { return origin }
    var end = origin
    end.offset &+= UInt64(range.count)
    return end
  }

  private static func report(_ faults: [Finding], _ origin: Origin, _ listener: any Listener) {
    for var fault in faults {
      fault.origin = origin
      listener.finding(fault)
    }
  }

  /// Passes on the complete messages in what is held.
  mutating func cut(isEnd: Bool, _ above: inout any Layer, _ listener: any Listener) {
    // Moved out while it is lent.
    var lent = ResyncBuffer()
    swap(&lent, &held)
    let count = pass(lent.bytes.bytes, isEnd: isEnd, &above, listener) {
      // An empty message has no last byte.
      let last = min(max($0.start, $0.end - 1), lent.count - 1)
      var origin = lent.origin(at: last)
      origin.offset = origin.offset &+ UInt64($0.start) &- UInt64(last)
      return origin
    }
    if begun == nil {
      lent.removeFirst(count)
      swap(&lent, &held)
      if held.count == 0 { room.giveBack() }
    } else {
      hold(lent.bytes.bytes.dropping(count), Delivery(lent.origin(at: count)))
    }
  }

  /// Keeps the memory for the next message, if it is of usual size.
  mutating func dropParts() {
    parts.removeAll()
    parts.shrink(above: 256 << 10)
    if !room.tryToKeep(parts.capacity) { parts.shrink(above: 0) }
  }
}
