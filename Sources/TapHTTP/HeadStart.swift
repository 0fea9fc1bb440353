// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Bytes that begin a segment and may begin an HTTP head, while there are too few of them to tell.
struct HeadStart {
  /// More than are needed to tell.
  private static let enough = 16

  private(set) var octets = Scratch()
  /// Of the first of them; nil while there are none.
  private(set) var first: Delivery?

  /// Whether a head begins with these bytes and those that are held; nil when more of the segment
  /// have to come. Then they are held too.
  mutating func look(_ bytes: RawSpan, _ delivery: Delivery) -> Bool? {
    if first == nil && !delivery.edges.contains(.start) { return false }
    let count = octets.count
    octets.append(bytes.extracting(0..<min(bytes.byteCount, Self.enough)))
    if let begins = HTTPStart.recognise(octets.bytes) {
      octets.truncate(count)
      return begins
    }
    if first == nil {
      first = delivery
    } else if delivery.edges.contains(.end) {
      first!.edges.insert(.end)
    }
    return nil
  }
}
