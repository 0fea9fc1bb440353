// SPDX-License-Identifier: Apache-2.0
import TapBytes

extension JSONElement {
  /// Whether it may be an id: a string or a number.
  public var mayBeID: Bool { kind == .string || kind == .natural || kind == .number }

  /// A hash by which an id is found again. Encoders escape strings in different ways, and sides of
  /// one conversation may use different ones: `"\u017e"` is `"ž"`, and `"a\/1"` is `"a/1"`.
  /// Numbers are compared as they are written, but 1.0 is 1.
  public func identity(in bytes: RawSpan) -> UInt64 {
    if kind == .number { return bytes[whole(in: bytes)].fingerprint }
    guard kind == .string, bytes[content].firstIndex(of: .backslash) != nil else {
      return bytes[range].fingerprint
    }
    var plain: [UInt8] = [.quote]
    // Lone surrogates have no other form to compare.
    guard JSON.unescape(bytes[content], to: &plain) else { return bytes[range].fingerprint }
    plain.append(.quote)
    return plain.span.bytes.fingerprint
  }

  /// The range of a number, without a fraction that is zero.
  private func whole(in bytes: RawSpan) -> ByteRange {
    guard let point = bytes[range].firstIndex(of: .period) else { return range }
    let digits = range.start + point + 1..<range.end
    let isZero = digits.allSatisfy { bytes.byte(at: $0) == UInt8(ascii: "0") }
    return isZero ? ByteRange(range.start, range.start + point) : range
  }
}
