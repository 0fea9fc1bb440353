// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Bytes at the beginning of a segment that may begin an HTTP head or a chunk, while they are too
/// few to decide.
struct HeadStart {
  enum Beginning { case head, chunk, neither }

  /// More bytes than are needed to decide.
  private static let enough = 16

  private(set) var octets = Scratch()
  /// The delivery of the first of them; nil while there are none.
  private(set) var first: Delivery?

  /// What the held bytes and these begin; nil when more of the segment are needed. These are then
  /// held, too.
  ///
  /// - Parameter mayBeChunk: whether to look for a chunk, too.
  mutating func look(
    _ bytes: RawSpan, _ delivery: Delivery, mayBeChunk: Bool = false
  ) -> Beginning? {
    if first == nil && !delivery.edges.contains(.start) { return .neither }
    let count = octets.count
    octets.append(bytes.extracting(0..<min(bytes.byteCount, Self.enough)))
    if let beginning = Self.recognise(octets.bytes, mayBeChunk) {
      octets.truncate(count)
      return beginning
    }
    if first == nil {
      first = delivery
    } else if delivery.edges.contains(.end) {
      first!.edges.insert(.end)
    }
    return nil
  }

  private static func recognise(_ bytes: RawSpan, _ mayBeChunk: Bool) -> Beginning? {
    let isHead = HTTPStart.recognise(bytes)
    if isHead == true { return .head }
    let isChunk = mayBeChunk ? Body.beginsChunk(bytes) : false
    if isChunk == true { return .chunk }
    return isHead == nil || isChunk == nil ? nil : .neither
  }
}
