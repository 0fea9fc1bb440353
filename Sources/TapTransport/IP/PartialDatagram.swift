// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The fragments of one datagram seen so far. Where fragments overlap, the bytes that came first
/// win.
struct PartialDatagram {
  let key: WideKey
  let firstSeen: PacketStamp
  /// Protocol of the payload, from the first fragment.
  var upper: UInt8?
  /// How many fragments were kept before it was known whether they are a tunnel.
  var fragments = 0
  /// Two fragments carry different data for the same bytes; `reportedDifference`: that was
  /// reported.
  private(set) var differs = false
  var reportedDifference = false
  private(set) var octets: ContiguousArray<UInt8> = []
  /// Which of `octets` are present: sorted, neither touching nor overlapping.
  private var present: ContiguousArray<Range<Int>> = []
  /// Length of the whole payload, known from the last fragment.
  private var total: Int?

  init(key: WideKey, firstSeen: PacketStamp) { (self.key, self.firstSeen) = (key, firstSeen) }

  /// What was captured of the datagram, and the likely reason, in words.
  var remains: String {
    if upper == nil { return "its first fragment was not captured" }
    // Only the first fragment has the ports.
    let isBeginning = present.count == 1 && present[0].lowerBound == 0 && total == nil
    return isBeginning
      ? "only its beginning was captured, as by a filter on ports, which other fragments lack"
      : "some of its fragments were not captured"
  }

  var isComplete: Bool {
    guard let total else { return false }
    return present.count == 1 && present[0] == 0..<total && upper != nil
  }

  /// Whether these bytes are already present, and identical.
  func holds(_ bytes: RawSpan, at offset: Int) -> Bool {
    let end = offset &+ bytes.byteCount
    return end <= octets.count && octets.span.bytes.extracting(offset..<end).equals(bytes)
  }

  /// Adds the captured part of a fragment.
  ///
  /// - Parameter length: its length according to the header; more than `bytes` if the packet was
  ///   cut.
  /// - Returns: false when the fragment contradicts what is known.
  mutating func add(_ bytes: RawSpan, length: Int, _ fragment: Fragment) -> Bool {
    let end = fragment.offset &+ length
    // A datagram has at most 65,535 bytes; every fragment but the last has a multiple of 8.
    guard end <= 0xFFFF, fragment.isLast || length % 8 == 0 else { return false }
    if let total, end > total || fragment.isLast && end != total { return false }
    if fragment.isLast {
      guard octets.count <= end else { return false }
      total = end
    }
    let captured = fragment.offset..<fragment.offset &+ bytes.byteCount
    if captured.isEmpty { return true }
    if octets.count < captured.upperBound {
      octets.append(
        contentsOf: repeatElement(0, count: captured.upperBound &- octets.count))
    }
    copy(bytes, to: captured)
    return true
  }

  /// Copies bytes into the holes of `target` only, and marks these as present.
  private mutating func copy(_ bytes: RawSpan, to target: Range<Int>) {
    var merged = target
    var kept: ContiguousArray<Range<Int>> = []
    var at = target.lowerBound
    for range in present {
      if range.upperBound < target.lowerBound || range.lowerBound > target.upperBound {
        kept.append(range)
        continue
      }
      copy(bytes, from: at, to: range.lowerBound, base: target.lowerBound)
      let common = range.clamped(to: target)
      let again = bytes.extracting(
        common.lowerBound &- target.lowerBound..<common.upperBound &- target.lowerBound)
      if !holds(again, at: common.lowerBound) { differs = true }
      at = max(at, range.upperBound)
      merged = min(merged.lowerBound, range.lowerBound)..<max(merged.upperBound, range.upperBound)
    }
    copy(bytes, from: at, to: target.upperBound, base: target.lowerBound)
    let index = kept.firstIndex { $0.lowerBound > merged.lowerBound } ?? kept.count
    kept.insert(merged, at: index)
    present = kept
  }

  private mutating func copy(_ bytes: RawSpan, from start: Int, to end: Int, base: Int) {
    var at = start
    while at < end {
      octets[at] = bytes.byte(at: at &- base)
      at &+= 1
    }
  }
}
