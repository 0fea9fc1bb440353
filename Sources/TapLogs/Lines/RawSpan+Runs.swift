// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Where runs of white space, blanks and digits begin and end.
extension RawSpan {
  /// The offset at which the JSON white space that ends at `end` begins.
  @inline(__always)
  func beforeSpace(_ end: Int, from start: Int = 0) -> Int {
    var at = end
    while at > start, byte(at: at - 1).isJSONSpace { at -= 1 }
    return at
  }

  /// The offset at which the blanks that end at `end` begin.
  @inline(__always)
  func beforeBlanks(_ end: Int, from start: Int = 0) -> Int {
    var at = end
    while at > start, byte(at: at - 1) == .space { at -= 1 }
    return at
  }

  /// The offset behind the blanks that begin at `start`.
  @inline(__always)
  func behindBlanks(_ start: Int) -> Int {
    var at = start
    while at < byteCount, byte(at: at) == .space { at += 1 }
    return at
  }

  /// The offset at which the digits that end at `end` begin.
  @inline(__always)
  func beforeDigits(_ end: Int, from start: Int = 0) -> Int {
    var at = end
    while at > start, byte(at: at - 1).isDigit { at -= 1 }
    return at
  }

  /// The offset behind the digits that begin at `start`.
  @inline(__always)
  func behindDigits(_ start: Int) -> Int {
    var at = start
    while at < byteCount, byte(at: at).isDigit { at &+= 1 }
    return at
  }

  /// The offset of the last byte that is no white space of JSON; nil when there is none.
  var lastUnspaced: Int? {
    let end = beforeSpace(byteCount)
    return end > 0 ? end - 1 : nil
  }
}
