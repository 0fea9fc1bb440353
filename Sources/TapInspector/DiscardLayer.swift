// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// For streams of protocols that we do not read: only counts the bytes.
struct DiscardLayer: Layer {
  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    listener.account(.unread, bytes.byteCount)
  }

  func doubt(_: Finding, _: any Listener) {}
  mutating func gap(_: Int?, _: Delivery, _: any Listener) {}
  mutating func finish(_: Ending, _: Delivery, _: any Listener) {}
}
