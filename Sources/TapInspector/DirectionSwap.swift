// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Passes everything on with client and server swapped, for a stream whose sides were guessed
/// wrong.
struct DirectionSwap: Layer {
  private var above: any Layer

  init(_ above: any Layer) { self.above = above }

  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    above.receive(bytes, Self.turn(delivery), listener)
  }

  mutating func hear(_ delivery: Delivery, _ listener: any Listener) {
    above.hear(Self.turn(delivery), listener)
  }

  mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    above.gap(missing, Self.turn(delivery), listener)
  }

  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    above.finish(ending, Self.turn(delivery), listener)
  }

  private static func turn(_ delivery: Delivery) -> Delivery {
    var turned = delivery
    turned.origin.direction = delivery.origin.direction.reversed
    return turned
  }
}
