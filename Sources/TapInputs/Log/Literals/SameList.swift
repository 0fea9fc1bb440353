// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Whether two texts of JSON are the same but for white space.
enum SameList {
  static func isSame(_ left: RawSpan, _ right: RawSpan) -> Bool {
    var (at, other) = (0, 0)
    while true {
      while at < left.byteCount, ListStart.isSpace(left.byte(at: at)) { at += 1 }
      while other < right.byteCount, ListStart.isSpace(right.byte(at: other)) { other += 1 }
      if at == left.byteCount || other == right.byteCount {
        return at == left.byteCount && other == right.byteCount
      }
      if left.byte(at: at) != right.byte(at: other) { return false }
      (at, other) = (at + 1, other + 1)
    }
  }
}
