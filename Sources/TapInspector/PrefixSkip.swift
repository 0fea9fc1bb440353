// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Skips what comes before the actual stream in one direction, and passes on everything else.
struct PrefixSkip: Layer {
  private var left: Int
  private let direction: Direction
  private var above: any Layer

  /// - Parameters:
  ///   - count: bytes of the direction that do not belong to the stream.
  init(_ count: Int, of direction: Direction, then above: any Layer) {
    (left, self.direction, self.above) = (count, direction, above)
  }

  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    guard left > 0, delivery.origin.direction == direction else {
      return above.receive(bytes, delivery, listener)
    }
    let count = min(left, bytes.byteCount)
    left -= count
    listener.account(.http, count)
    if count == bytes.byteCount { return }
    var rest = delivery
    rest.origin.offset &+= UInt64(count)
    above.receive(bytes.dropping(count), rest, listener)
  }

  mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    above.gap(missing, delivery, listener)
  }

  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    above.finish(ending, delivery, listener)
  }

  var settlement: Settlement { left == 0 ? .by(above) : .notYet }
}
