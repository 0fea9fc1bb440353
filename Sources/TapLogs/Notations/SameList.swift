// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings
internal import TapEvidence

/// Whether two texts of JSON are the same but for white space.
enum SameList {
  static func isSame(_ left: RawSpan, _ right: RawSpan) -> Bool {
    var (at, other) = (0, 0)
    while true {
      at = left.behindSpace(at)
      other = right.behindSpace(other)
      if at == left.byteCount || other == right.byteCount {
        return at == left.byteCount && other == right.byteCount
      }
      if left.byte(at: at) != right.byte(at: other) { return false }
      (at, other) = (at + 1, other + 1)
    }
  }

  /// Whether the first is what a logger has left of the second: “…” stands for some elements.
  static func isSame(abridged left: RawSpan, _ right: RawSpan) -> Bool {
    var (at, other, alike) = (1, 1, 0)
    while let element = JSON.next(left, &at, inObject: false)?.value.range {
      guard let whole = JSON.next(right, &other, inObject: false)?.value.range else { return false }
      if left[element].contains("…") { continue }
      if !isSame(left[element], right[whole]) { return false }
      alike += 1
    }
    // A type alone says little.
    return alike > 1 && JSON.next(right, &other, inObject: false) == nil
  }

  /// Whether the first, whose middle a logger has left out, begins as the second does: a type and
  /// an id are enough.
  static func begins(_ left: RawSpan, like right: RawSpan) -> Bool {
    var (at, other, alike) = (1, 1, 0)
    while let element = JSON.next(left, &at, inObject: false)?.value.range,
      !left[element].contains("…")
    {
      guard let whole = JSON.next(right, &other, inObject: false)?.value.range,
        isSame(left[element], right[whole])
      else { return false }
      alike += 1
    }
    return alike > 1
  }

  /// Whether the first is the second up to where a logger has cut it, and “…”.
  static func isBeginning(_ left: RawSpan, of right: RawSpan) -> Bool {
    let mark: StaticString = "…"
    let end = left.byteCount - mark.utf8CodeUnitCount
    guard end > 0, end <= right.byteCount, left.dropping(end).starts(with: mark) else {
      return false
    }
    return (0..<end).allSatisfy { left.byte(at: $0) == right.byte(at: $0) }
  }
}
