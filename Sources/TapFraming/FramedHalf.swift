// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// One direction of a stream that is cut into messages.
struct FramedHalf {
  /// A message that has begun and whose length is known.
  struct Begun {
    let size: Int
    /// Of its first byte.
    let origin: Origin
    /// Bytes that are behind us, captured or not, and those that were not.
    var passed: Int
    var missing = 0
    /// Why it is not put together; nil when it is.
    var loss: MessageLoss?

    var captured: Int { passed - missing }
    var rest: Int { size - passed }
  }

  let framing: any StreamFraming
  let placesEnds: Bool
  let kind: Delivery.Kind
  let longest: Int
  /// The beginning of a message whose length is not known yet, or what is searched for
  /// one.
  var held = ResyncBuffer()
  var begun: Begun?
  /// What is there of that.
  var parts = Scratch()
  /// What of that which all connections may hold this one has taken.
  var room: Reservation
  /// Where the next message begins is not known.
  var isLost = false
  /// Bytes wait for that.
  var wait = WaitNotice()
  /// What was not captured since then; nil when nothing was.
  var loss: FramingLoss?
  /// Captured bytes that were passed over since then.
  var passed = 0
  /// Bytes of what was told and not yet accounted for: one call less for each message.
  var told = 0
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
      let count = goOn(bytes, delivery, &above, listener)
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

  /// Takes what is there of the message that has begun; answers how much that was.
  private mutating func goOn(
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
    // Taken out, as it is lent meanwhile.
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

  /// What is held must fit.
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
    // Its end is not known.
    discard(hasRoom ? .tooLong : .noRoom, delivery.origin, listener)
    lose()
    above.gap(nil, delivery, listener)
  }

  /// Passes on what is whole; answers how much that was.
  ///
  /// - Parameter origin: of the first byte of a range, in the packet of its last.
  private mutating func pass(
    _ bytes: RawSpan, isEnd: Bool, _ above: inout any Layer, _ listener: any Listener,
    origin: (ByteRange) -> Origin
  ) -> Int {
    var start = 0
    search: while start < bytes.byteCount {
      switch framing.next(in: bytes, from: start, isEnd: isEnd) {
      case .message(let range, let next) where range.count <= longest:
        told &+= next &- start
        seen.messages &+= 1
        seen.bytes &+= next &- start
        above.receive(bytes[range], Delivery(place(origin(range), range), kind), listener)
        start = next
      case .special(let range, let next) where range.count <= longest:
        let delivery = Delivery(place(origin(range), range), kind)
        let first = origin(ByteRange(start, start + 1)).record
        switch framing.pass(bytes[range], delivery, from: first, &above, listener) {
        case .message:
          told &+= next &- start
          seen.messages &+= 1
          seen.bytes &+= next &- start
        case .control: told &+= next &- start
        case .nothing: listener.account(.incomplete, next - start)
        }
        start = next
      case .message(let range, let next), .special(let range, let next):
        let delivery = Delivery(place(origin(range), range))
        tell(.tooLong, next - start, delivery.origin, listener)
        above.gap(nil, delivery, listener)
        start = next
      case .begun(let head, let body):
        begun = Begun(
          size: head + body, origin: origin(ByteRange(start, start + 1)),
          passed: bytes.byteCount - start, loss: body > longest ? .tooLong : nil)
        break search
      case .faults(let faults, let end):
        Self.tell(faults, origin(ByteRange(start, end)), listener)
      case .broken(let faults):
        let delivery = Delivery(origin(ByteRange(start, start + 1)))
        Self.tell(faults, delivery.origin, listener)
        isLost = true
        above.gap(nil, delivery, listener)
        break search
      case .skip(let next):
        told &+= next &- start
        start = next
      case .incomplete: break search
      }
    }
    // Offsets of the framing are those of what is left.
    if start < bytes.byteCount { framing.removed(start) }
    return start
  }

  /// Where a message is told.
  @inline(__always)
  private func place(_ origin: Origin, _ range: ByteRange) -> Origin {
    if !placesEnds { return origin }
    var end = origin
    end.offset &+= UInt64(range.count)
    return end
  }

  private static func tell(_ faults: [Finding], _ origin: Origin, _ listener: any Listener) {
    for var fault in faults {
      fault.origin = origin
      listener.finding(fault)
    }
  }

  /// Passes on what is whole of what is held.
  mutating func cut(isEnd: Bool, _ above: inout any Layer, _ listener: any Listener) {
    // Taken out, as it is lent meanwhile.
    var lent = ResyncBuffer()
    swap(&lent, &held)
    let count = pass(lent.bytes.bytes, isEnd: isEnd, &above, listener) {
      // Empty messages have no last byte.
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

  /// Memory of a message of usual size is kept for the next.
  mutating func dropParts() {
    parts.removeAll()
    parts.shrink(above: 256 << 10)
    if !room.keeps(parts.capacity) { parts.shrink(above: 0) }
  }
}
