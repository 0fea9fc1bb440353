// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// A hash of the content of a JSON text: white space, key order, escapes and the spelling of
/// numbers make no difference. It is seeded per run.
///
/// Numbers with a fraction, and those beyond 2^53, are hashed as 32-bit floats: every serializer
/// preserves at least that precision.
public enum JSONDigest {
  /// The digests of `[]` and `{}`.
  public static let emptyList: UInt64 = 1
  public static let emptyObject: UInt64 = 2

  /// - Parameter range: one value that a scanner has checked or a transcoder has written. It is
  ///   read only once, whatever it contains.
  public static func of(_ bytes: RawSpan, _ range: ByteRange) -> UInt64 {
    var at = range.start
    return value(bytes.extracting(0..<range.end), &at)
  }

  private static func value(_ bytes: RawSpan, _ at: inout Int) -> UInt64 {
    at = bytes.behindSpace(at)
    guard at < bytes.byteCount else { return 0 }
    switch bytes.byte(at: at) {
    case .openBracket:
      var digest = emptyList
      at &+= 1
      while hasNext(bytes, &at, end: 0x5D) { digest = mix(digest, value(bytes, &at)) }
      return digest
    case .openBrace:
      var digest = emptyObject
      at &+= 1
      while hasNext(bytes, &at, end: 0x7D) {
        let key = string(bytes, &at)
        at = bytes.behindSpace(at)
        at &+= 1
        digest &+= mix(key &+ 1, value(bytes, &at))
      }
      return digest
    case .quote: return string(bytes, &at)
    default: return token(bytes, &at)
    }
  }

  /// Whether another element or member begins here; otherwise moves past the closing bracket.
  private static func hasNext(_ bytes: RawSpan, _ at: inout Int, end: UInt8) -> Bool {
    at = bytes.behindSpace(at)
    if at < bytes.byteCount, bytes.byte(at: at) == .comma {
      at &+= 1
      at = bytes.behindSpace(at)
    }
    guard at < bytes.byteCount, bytes.byte(at: at) != end else {
      at &+= 1
      return false
    }
    return true
  }

  private static func string(_ bytes: RawSpan, _ at: inout Int) -> UInt64 {
    let start = min(at &+ 1, bytes.byteCount)
    at = bytes.firstIndex(of: .quote, from: start) ?? bytes.byteCount
    let content = bytes.extracting(start..<at)
    guard let backslash = content.firstIndex(of: .backslash) else {
      at &+= 1
      return mix(content.fingerprint, 3)
    }
    return escapedString(bytes, from: start, backslash: start &+ backslash, &at)
  }

  /// - Parameters:
  ///   - start: the start of the content.
  ///   - backslash: the first backslash in it.
  private static func escapedString(
    _ bytes: RawSpan, from start: Int, backslash: Int, _ at: inout Int
  ) -> UInt64 {
    at = backslash
    while at < bytes.byteCount, bytes.byte(at: at) != .quote {
      at &+= bytes.byte(at: at) == .backslash ? 2 : 1
    }
    let end = min(at, bytes.byteCount)
    at &+= 1
    let content = bytes.extracting(start..<end)
    var plain = JSON.unescaped(content)
    // Binary values in WAMP's form: remove padding, as not every encoder pads base64.
    if plain.first == 0 { while plain.last == UInt8(ascii: "=") { plain.removeLast() } }
    return mix(plain.span.bytes.fingerprint, 3)
  }

  /// A number or a literal.
  private static func token(_ bytes: RawSpan, _ at: inout Int) -> UInt64 {
    let start = at
    while at < bytes.byteCount {
      let byte = bytes.byte(at: at)
      if byte <= 0x20 || byte == .comma || byte == .closeBracket || byte == .closeBrace { break }
      at &+= 1
    }
    // Move on at an invalid byte, so that the loop ends.
    if at == start { at &+= 1 }
    let isNegative = bytes.byte(at: start) == .hyphen
    let range = ByteRange(isNegative ? start + 1 : start, max(at, start + 1))
    guard !range.isEmpty, bytes.byte(at: range.start).isDigit else {
      // NaN and Infinity count as null, which most JSON encoders write for them.
      let first = bytes.byte(at: start)
      return mix(first == 0x74 || first == 0x66 ? UInt64(first) : 0, 4)
    }
    let short = shortNumber(bytes, range)
    let natural =
      if let short { UInt64(exactly: short) } else { JSON.integralFloat(bytes, range) }
    if let natural { return mix(natural, isNegative && natural > 0 ? 6 : 5) }
    let number =
      short ?? Double(String(decoding: bytes[range].copied(), as: Unicode.UTF8.self)) ?? 0
    let rounded = Float(number)
    let isUsual = rounded.isFinite && rounded != 0
    return mix(isUsual ? UInt64(rounded.bitPattern) : number.bitPattern, isNegative ? 8 : 7)
  }

  /// A number without an exponent whose digits fit a double exactly: one division rounds its
  /// fraction correctly (Clinger, "How to read floating point numbers accurately").
  private static func shortNumber(_ bytes: RawSpan, _ range: ByteRange) -> Double? {
    if range.count > 16 { return nil }
    var (value, divisor): (UInt64, UInt64) = (0, 0)
    for place in range.start..<range.end {
      let byte = bytes.byte(at: place)
      if byte == .period && divisor == 0 {
        divisor = 1
        continue
      }
      guard byte.isDigit else { return nil }
      value = value &* 10 &+ UInt64(byte &- 0x30)
      divisor = divisor &* 10
    }
    // Too large for an exact double.
    if value > 9_007_199_254_740_992 { return nil }
    return divisor > 1 ? Double(value) / Double(divisor) : Double(value)
  }

  @inline(__always) private static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = (a ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: b ^ 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
  }
}
