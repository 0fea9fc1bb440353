// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The whole seconds of the commonest notation, `2026-11-20 23:34:50`, which many lines share: they
/// are read once for each change.
struct LogSeconds {
  /// Bytes of the notation.
  static let length = 19

  private struct Known {
    var octets: (first: UInt64, middle: UInt64, last: UInt64) = (0, 0, 0)
    var seconds: Int64 = 0
  }

  /// With a letter between date and time, and with a blank: programs that write into one log may
  /// differ in that.
  private var (letter, blank) = (Known(), Known())

  /// Seconds since 1970, as if it were UTC; nil when something else stands there.
  @inline(__always)
  mutating func read(_ line: RawSpan, _ start: Int) -> Int64? {
    guard start + Self.length <= line.byteCount, line.byte(at: start + 4) == .hyphen else {
      return nil
    }
    if line.byte(at: start + 10) == .space { return Self.read(line, start, &blank) }
    return Self.read(line, start, &letter)
  }

  @inline(__always)
  private static func read(_ line: RawSpan, _ start: Int, _ known: inout Known) -> Int64? {
    let octets = (line.word(at: start), line.word(at: start + 8), line.word(at: start + 11))
    if octets == known.octets { return known.seconds }
    guard let seconds = LogTimeReader.wholeSeconds(line, start) else { return nil }
    known = Known(octets: octets, seconds: seconds)
    return seconds
  }
}
