// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// The time of a record, as it is written before the text of the record.
enum CollectedTime {
  /// Writes a time that is a string in the form of ISO 8601, or the seconds since 1970 or
  /// thousandths, millionths or billionths of them; answers false for any other.
  static func append(_ value: RawSpan, to text: inout Scratch) -> Bool {
    if value.isEmpty { return false }
    if value.byte(at: 0) != .quote { return append(number: value, to: &text) }
    let time = value.extracting(1..<value.byteCount - 1)
    guard (19..<40).contains(time.byteCount), time.byte(at: 4) == .hyphen,
      time.byte(at: 10) == UInt8(ascii: "T"), time.firstIndex(of: .backslash) == nil
    else { return false }
    text.append(time)
    return true
  }

  private static func append(number: RawSpan, to text: inout Scratch) -> Bool {
    let count = digits(number, from: 0)
    guard [10, 13, 16, 19].contains(count) else { return false }
    var fraction = String(decoding: number.extracting(10..<count).copied(), as: Unicode.UTF8.self)
    if count < number.byteCount {
      guard number.byte(at: count) == .period,
        digits(number, from: count + 1) == number.byteCount
      else { return false }
      fraction += String(
        decoding: number.dropping(count + 1).copied(), as: Unicode.UTF8.self)
    }
    let seconds = String(decoding: number.extracting(0..<10).copied(), as: Unicode.UTF8.self)
    append(Int(seconds) ?? 0, fraction: String(fraction.prefix(9)), to: &text)
    return true
  }

  /// Where the digits end that begin at a place.
  private static func digits(_ number: RawSpan, from start: Int) -> Int {
    (start..<number.byteCount).first { !number.byte(at: $0).isDigit } ?? number.byteCount
  }

  /// `2026-11-20T23:34:50.123456+0000`
  ///
  /// - Parameter fraction: the digits behind the point; empty for whole seconds.
  static func append(_ seconds: Int, fraction: String, to text: inout Scratch) {
    let parts = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60]
    let clock = parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    let point = fraction.isEmpty ? "" : "."
    text.append(
      "\(CivilDate(days: Int64(seconds / 86_400)).text)T\(clock)\(point)\(fraction)+0000")
  }
}
