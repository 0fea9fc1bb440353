// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapTraffic

/// Both directions of a stream as one input: bytes stand for themselves, FF begins an order, and
/// `FF FF` is the byte FF.
public struct StreamScript {
  public enum Order: UInt8 {
    /// Switch to the other side.
    case turn = 0
    /// Two bytes: the number of missing bytes, from 1.
    case gap = 1
    case unknownGap = 2
    case half = 3
    /// Begin the next segment of the same side.
    case segment = 4
    /// Advance the clock by a second.
    case wait = 5
    /// Lend the next bytes separately, within the same segment.
    case cut = 6
  }

  private let sent: Sent
  /// The seed for splitting segments; nil when they are not split.
  private var seed: UInt64?
  private var origin = Origin(
    time: Instant(nanoseconds: 0), record: 1, flow: 1, direction: .toServer)
  private var offsets: [UInt64] = [0, 0]
  private var isOver = [false, false]
  private var pending: [UInt8] = []
  private var begins = true

  init(_ sent: Sent, cutBy seed: UInt64? = nil) { (self.sent, self.seed) = (sent, seed) }

  /// Plays the whole script. It ends with `.endOfEvidence`, `.closed` or `.reset`, depending on its
  /// length.
  mutating func play(
    _ script: UnsafeRawBufferPointer, on layer: inout some Layer, _ listener: any Listener
  ) {
    var at = 0
    while at < script.count {
      let byte = script[at]
      at += 1
      guard byte == 0xFF, at < script.count, let order = Order(rawValue: script[at]) else {
        if byte == 0xFF, at < script.count, script[at] == 0xFF { at += 1 }
        pending.append(byte)
        continue
      }
      at += 1
      flush(on: &layer, isEnd: order != .cut, listener)
      let side = Int(origin.direction.rawValue)
      switch order {
      case .turn: origin.direction = origin.direction.reversed
      case .gap:
        let count =
          at + 1 < script.count ? Int(script[at]) << 8 | Int(script[at + 1]) + 1 : 1
        at += 2
        if isOver[side] { continue }
        layer.gap(count, delivery([]), listener)
        offsets[side] += UInt64(count)
        sent.append(gap: count, side)
      case .unknownGap:
        if isOver[side] { continue }
        layer.gap(nil, delivery([]), listener)
        sent.append(gap: nil, side)
      case .half:
        if isOver[side] { continue }
        isOver[side] = true
        layer.finish(.half, delivery([]), listener)
      case .segment, .cut: break
      case .wait: origin.time.nanoseconds += 1_000_000_000
      }
    }
    flush(on: &layer, isEnd: true, listener)
    let endings: [Ending] = [.endOfEvidence, .closed, .reset]
    layer.finish(endings[script.count % 3], delivery([]), listener)
  }

  private func delivery(_ edges: Delivery.Edges) -> Delivery {
    var origin = origin
    origin.offset = offsets[Int(origin.direction.rawValue)]
    return Delivery(origin, edges: edges)
  }

  private mutating func flush(
    on layer: inout some Layer, isEnd: Bool, _ listener: any Listener
  ) {
    defer { pending.removeAll(keepingCapacity: true) }
    let side = Int(origin.direction.rawValue)
    if pending.isEmpty || isOver[side] { return begins = begins || isEnd }
    sent.append(pending, side)
    var edges: Delivery.Edges = begins ? .start : []
    var start = 0
    if let seed, pending.count > 1 {
      start = 1 + Int(seed % UInt64(pending.count - 1))
      self.seed = seed &* 0xBF58_476D_1CE4_E5B9 | 1
      lend(0..<start, side, edges, on: &layer, listener)
      edges = []
    }
    if isEnd { edges.insert(.end) }
    lend(start..<pending.count, side, edges, on: &layer, listener)
    begins = isEnd
    if !isEnd { return }
    origin.record += 1
    origin.time.nanoseconds += 1_000_000
  }

  private mutating func lend(
    _ range: Range<Int>, _ side: Int, _ edges: Delivery.Edges, on layer: inout some Layer,
    _ listener: any Listener
  ) {
    let delivery = delivery(edges)
    pending.withUnsafeBytes { bytes in
      Fuzzing.lend(UnsafeRawBufferPointer(rebasing: bytes[range])) {
        layer.receive($0, delivery, listener)
      }
    }
    offsets[side] += UInt64(range.count)
  }

  /// Builds a script.
  public struct Writer {
    public private(set) var bytes: [UInt8] = []
    private var direction = Direction.toServer

    public init() {}

    public mutating func append(_ segment: RawSpan, _ direction: Direction) {
      append(segment.copied(), direction, joins: false)
    }

    /// - Parameter joins: continue the previous segment if it has the same direction.
    public mutating func append(_ octets: [UInt8], _ direction: Direction, joins: Bool) {
      turn(to: direction, joins: joins)
      for octet in octets {
        if octet == 0xFF { bytes.append(octet) }
        bytes.append(octet)
      }
    }

    /// - Parameter count: the number of missing bytes, from 1; nil when unknown.
    public mutating func append(gap count: Int?, _ direction: Direction) {
      turn(to: direction, joins: true)
      guard let count else { return bytes += [0xFF, Order.unknownGap.rawValue] }
      let less = UInt16(clamping: count - 1)
      bytes += [0xFF, Order.gap.rawValue, UInt8(less >> 8), UInt8(less & 0xFF)]
    }

    /// - Parameter order: an order without bytes.
    public mutating func append(_ order: Order, _ direction: Direction) {
      turn(to: direction, joins: true)
      bytes += [0xFF, order.rawValue]
    }

    private mutating func turn(to direction: Direction, joins: Bool) {
      if direction != self.direction {
        bytes += [0xFF, Order.turn.rawValue]
      } else if !joins {
        bytes += [0xFF, Order.segment.rawValue]
      }
      self.direction = direction
    }
  }
}
