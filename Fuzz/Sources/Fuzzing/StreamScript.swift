// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapTraffic

/// Both directions of a stream as one input: bytes stand for themselves, and FF begins an order.
/// `FF FF` is the byte FF.
public struct StreamScript {
  public enum Order: UInt8 {
    /// The other side speaks.
    case turn = 0
    /// Two bytes: how much is missing, from 1.
    case gap = 1
    case unknownGap = 2
    case half = 3
    /// The next segment of the same side.
    case segment = 4
    /// A second goes by.
    case wait = 5
    /// The next bytes are lent apart from these, within one segment.
    case cut = 6
  }

  /// Octets that were lent.
  public private(set) var fed = 0
  private var origin = Origin(
    time: Instant(nanoseconds: 0), record: 1, flow: 1, direction: .toServer)
  private var offsets: [UInt64] = [0, 0]
  private var isOver = [false, false]
  private var pending: [UInt8] = []
  private var begins = true

  public init() {}

  /// Plays the whole script. Ends with `.endOfEvidence`, `.closed` or `.reset`, as its length says.
  public mutating func play(
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
      case .unknownGap: if !isOver[side] { layer.gap(nil, delivery([]), listener) }
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
    defer { pending.removeAll() }
    let side = Int(origin.direction.rawValue)
    if pending.isEmpty || isOver[side] { return begins = begins || isEnd }
    var edges: Delivery.Edges = begins ? .start : []
    if isEnd { edges.insert(.end) }
    let delivery = delivery(edges)
    pending.withUnsafeBytes { bytes in lend(bytes) { layer.receive($0, delivery, listener) } }
    begins = isEnd
    fed += pending.count
    offsets[side] += UInt64(pending.count)
    origin.record += 1
    origin.time.nanoseconds += 1_000_000
  }

  /// A script under construction.
  public struct Writer {
    public private(set) var bytes: [UInt8] = []
    private var direction = Direction.toServer

    public init() {}

    public mutating func append(_ segment: RawSpan, _ direction: Direction) {
      bytes += [0xFF, direction == self.direction ? Order.segment.rawValue : Order.turn.rawValue]
      self.direction = direction
      for byte in segment.copied() { bytes += byte == 0xFF ? [0xFF, 0xFF] : [byte] }
    }
  }
}
