// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Where runs of bytes of a kind begin and end.
extension RawSpan {
  /// The offset at which the bytes of a kind begin that end at `end`.
  ///
  /// - Parameter start: they begin there at the earliest.
  @inline(__always)
  func before(_ end: Int, from start: Int = 0, _ isOfKind: (UInt8) -> Bool) -> Int {
    var at = end
    while at > start, isOfKind(byte(at: at - 1)) { at -= 1 }
    return at
  }

  /// The offset behind the bytes of a kind that begin at `start`.
  ///
  /// - Parameter end: they end there at the latest.
  @inline(__always)
  func behind(_ start: Int, to end: Int = .max, _ isOfKind: (UInt8) -> Bool) -> Int {
    let end = min(end, byteCount)
    var at = start
    while at < end, isOfKind(byte(at: at)) { at += 1 }
    return at
  }

  /// The offset at which the JSON white space that ends at `end` begins.
  @inline(__always)
  func beforeSpace(_ end: Int, from start: Int = 0) -> Int {
    before(end, from: start) { $0.isJSONSpace }
  }

  /// The offset at which the blanks that end at `end` begin.
  @inline(__always)
  func beforeBlanks(_ end: Int, from start: Int = 0) -> Int {
    before(end, from: start) { $0 == .space }
  }

  /// The offset behind the blanks that begin at `start`.
  @inline(__always)
  func behindBlanks(_ start: Int) -> Int { behind(start) { $0 == .space } }

  /// The offset at which the digits that end at `end` begin.
  @inline(__always)
  func beforeDigits(_ end: Int, from start: Int = 0) -> Int {
    before(end, from: start) { $0.isDigit }
  }

  /// The offset behind the digits that begin at `start`.
  @inline(__always)
  func behindDigits(_ start: Int) -> Int { behind(start) { $0.isDigit } }

  /// The offset of the last byte that is no white space of JSON; nil when there is none.
  var lastUnspaced: Int? {
    let end = beforeSpace(byteCount)
    return end > 0 ? end - 1 : nil
  }
}
