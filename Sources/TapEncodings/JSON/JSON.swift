// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// Reads single values of JSON text that a `JSONScanner` has checked.
public enum JSON {
  /// A non-negative integer that a scanner found to be only digits; nil when it has more than 64
  /// bits.
  @inlinable @inline(__always)
  public static func scannedNatural(_ bytes: RawSpan, _ range: ByteRange) -> UInt64? {
    let count = range.count
    if count > 16 || range.start &+ 8 > bytes.byteCount { return natural(bytes, range) }
    // The first digits, padded with leading zeros to eight, then the last eight.
    let missing = UInt64(((count > 8 ? 16 : 8) &- count) &* 8)
    let zeros: UInt64 = 0x3030_3030_3030_3030 & ~(.max &<< missing)
    let first = Digits.value((bytes.word(at: range.start) &<< missing) | zeros)
    if count <= 8 { return first }
    return first &* 100_000_000 &+ Digits.value(bytes.word(at: range.end &- 8))
  }

  /// A non-negative integer; nil when it is something else or has more than 64 bits.
  public static func natural(_ bytes: RawSpan, _ range: ByteRange) -> UInt64? {
    if range.count > 19 { return longNatural(bytes, range) }
    if range.isEmpty { return nil }
    var value: UInt64 = 0
    for at in range.start..<range.end {
      let digit = bytes.byte(at: at) &- 0x30
      guard digit < 10 else { return nil }
      value = value &* 10 &+ UInt64(digit)
    }
    return value
  }

  /// For more than 19 digits, which may exceed 64 bits.
  static func longNatural(_ bytes: RawSpan, _ range: ByteRange) -> UInt64? {
    var value: UInt64 = 0
    for at in range.start..<range.end {
      let digit = bytes.byte(at: at) &- 0x30
      guard digit < 10 else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
      if overflow || carry { return nil }
      value = sum
    }
    return value
  }

  /// The integer value of a number with a fraction or an exponent (`1.0`, `1e9`), as encoders
  /// without integers write it; nil when it is not an integer, is negative, or exceeds 2^53.
  public static func integralFloat(_ bytes: RawSpan, _ range: ByteRange) -> UInt64? {
    // Computed from the digits, as a double would round values beyond 53 bits.
    var exponent = 0
    var end = range.start
    while end < range.end, bytes.byte(at: end) | 0x20 != UInt8(ascii: "e") { end &+= 1 }
    var at = end &+ 1
    var isLowered = false
    while at < range.end {
      let byte = bytes.byte(at: at)
      if byte == .hyphen { isLowered = true }
      // Larger exponents make no difference.
      if byte.isDigit { exponent = min(exponent &* 10 &+ Int(byte &- 0x30), 1 << 32) }
      at &+= 1
    }
    var whole = range.start
    while whole < end, bytes.byte(at: whole) != .period { whole &+= 1 }
    let isNegative = range.start < end && bytes.byte(at: range.start) == .hyphen
    // The power of ten of the first digit.
    var power = whole &- range.start &- (isNegative ? 2 : 1)
    power &+= isLowered ? -exponent : exponent
    var value: UInt64 = 0
    for place in range.start..<end {
      let digit = bytes.byte(at: place) &- 0x30
      if digit >= 10 { continue }
      if power < 0 && digit != 0 { return nil }
      if power >= 0 { value = value &* 10 &+ UInt64(digit) }
      if value > 9_007_199_254_740_992 { return nil }
      power &-= 1
    }
    while power >= 0 && value > 0 {
      value = value &* 10
      if value > 9_007_199_254_740_992 { return nil }
      power &-= 1
    }
    return isNegative && value > 0 ? nil : value
  }

  /// Whether a number is too large for a double, which most JSON parsers use.
  static func isBeyondDouble(_ number: RawSpan) -> Bool {
    // Without an exponent, and with fewer digits than the largest double has before its point, it
    // fits.
    if number.byteCount < 309 && number.firstIndex(of: UInt8(ascii: "e")) == nil
      && number.firstIndex(of: UInt8(ascii: "E")) == nil
    {
      return false
    }
    let text = String(decoding: number.copied(), as: Unicode.UTF8.self)
    return Double(text).map { !$0.isFinite } ?? true
  }

  /// A member of an object or an element of an array.
  public struct Member: Sendable, BitwiseCopyable {
    /// The key without quotes; empty in an array.
    public var key: ByteRange
    public var value: JSONElement
  }

  /// Iterates over the members of an object, or the elements of an array.
  public struct Members {
    private var at: Int
    private let end: Int
    private let isObject: Bool

    public init(of object: ByteRange) { (at, end, isObject) = (object.start + 1, object.end, true) }

    public init(ofArray array: ByteRange) {
      (at, end, isObject) = (array.start + 1, array.end, false)
    }

    public mutating func next(_ bytes: RawSpan) -> Member? {
      JSON.next(bytes.extracting(0..<end), &at, inObject: isObject)
    }
  }

  /// The first two elements of an array; nil when it has fewer.
  public static func pair(
    _ array: ByteRange, _ bytes: RawSpan
  ) -> (first: JSONElement, second: JSONElement)? {
    var elements = Members(ofArray: array)
    guard let first = elements.next(bytes)?.value, let second = elements.next(bytes)?.value else {
      return nil
    }
    return (first, second)
  }

  /// The next member or element of a container, from `at`, which begins after the opening bracket;
  /// nil at the end.
  public static func next(_ bytes: RawSpan, _ at: inout Int, inObject: Bool) -> Member? {
    at = bytes.behindSpace(at)
    guard at < bytes.byteCount else { return nil }
    if bytes.byte(at: at) == .comma {
      at &+= 1
      at = bytes.behindSpace(at)
    }
    var key = ByteRange()
    if inObject {
      guard at < bytes.byteCount, bytes.byte(at: at) == .quote else { return nil }
      let start = at &+ 1
      at = bytes.endOfString(at)
      key = ByteRange(start, at &- 1)
      at = bytes.behindSpace(at)
      at &+= 1
      at = bytes.behindSpace(at)
    }
    guard at < bytes.byteCount else { return nil }
    let start = at
    let first = bytes.byte(at: at)
    if first == .closeBracket || first == .closeBrace { return nil }
    skipValue(bytes, &at)
    guard at > start else { return nil }
    return Member(key: key, value: JSONElement(kind(of: bytes, start, at), ByteRange(start, at)))
  }

  /// The value of an object's key. For a repeated key the last one, as in most parsers.
  public static func value(
    of key: StaticString, in object: ByteRange, _ bytes: RawSpan
  ) -> JSONElement? {
    var found: JSONElement?
    var at = object.start &+ 1
    let inside = bytes.extracting(0..<object.end)
    while let member = next(inside, &at, inObject: true) {
      if equals(bytes, member.key, key) { found = member.value }
    }
    return found
  }

  /// Whether the content of a JSON string is the given ASCII text, escapes resolved.
  @inlinable @inline(__always)
  public static func equals(_ bytes: RawSpan, _ content: ByteRange, _ text: StaticString) -> Bool {
    // An escape is longer than its character.
    if content.count < text.utf8CodeUnitCount { return false }
    if content.count == text.utf8CodeUnitCount { return bytes[content].equals(text) }
    if content.isEmpty || text.utf8CodeUnitCount == 0 { return false }
    // Its first byte must be that of the text, or a backslash.
    let first = bytes.byte(at: content.start)
    if first != .backslash && first != (unsafe text.utf8Start.pointee) { return false }
    return isEscaped(text, bytes[content])
  }

  @usableFromInline static func isEscaped(_ text: StaticString, _ span: RawSpan) -> Bool {
    guard span.firstIndex(of: .backslash) != nil else { return false }
    return unescaped(span).span.bytes.equals(text)
  }

  /// The content of a JSON string, unescaped. A lone surrogate becomes U+FFFD.
  public static func unescaped(_ content: RawSpan) -> [UInt8] {
    var out: [UInt8] = []
    unescape(content, to: &out)
    return out
  }

  /// The same, appended to a reusable buffer.
  ///
  /// - Returns: whether the text is complete, without lone surrogates.
  @discardableResult
  public static func unescape(_ content: RawSpan, to out: inout [UInt8]) -> Bool {
    var isWhole = true
    out.reserveCapacity(content.byteCount)
    var at = 0
    while at < content.byteCount {
      let escape = content.firstIndex(of: .backslash, from: at) ?? content.byteCount
      if escape > at {
        unsafe content.extracting(at..<escape).withUnsafeBytes { unsafe out.append(contentsOf: $0) }
        at = escape
        continue
      }
      guard at &+ 1 < content.byteCount else {
        out.append(.backslash)
        break
      }
      let escaped = content.byte(at: at &+ 1)
      at &+= 2
      switch escaped {
      case UInt8(ascii: "b"): out.append(0x08)
      case UInt8(ascii: "f"): out.append(0x0C)
      case UInt8(ascii: "n"): out.append(.lineFeed)
      case UInt8(ascii: "r"): out.append(.carriageReturn)
      case UInt8(ascii: "t"): out.append(.tab)
      case UInt8(ascii: "u"):
        var scalar = hex(content, at)
        at &+= 4
        if scalar & 0xFC00 == 0xD800, at &+ 6 <= content.byteCount,
          content.byte(at: at) == .backslash, content.byte(at: at &+ 1) == UInt8(ascii: "u")
        {
          let low = hex(content, at &+ 2)
          if low & 0xFC00 == 0xDC00 {
            scalar = 0x10000 + (scalar & 0x3FF) << 10 + low & 0x3FF
            at &+= 6
          }
        }
        if Unicode.Scalar(scalar) == nil { isWhole = false }
        if scalar < 0x80 {
          out.append(UInt8(scalar))
        } else {
          out.append(contentsOf: String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8)
        }
      default: out.append(escaped)
      }
    }
    return isWhole
  }

  static func hex(_ bytes: RawSpan, _ at: Int) -> UInt32 {
    var value: UInt32 = 0
    for index in at..<min(at + 4, bytes.byteCount) {
      value = value << 4 | UInt32(Digits.hexValue(bytes.byte(at: index)) ?? 0)
    }
    return value
  }

  /// Skips one value of valid JSON.
  static func skipValue(_ bytes: RawSpan, _ at: inout Int) {
    guard at < bytes.byteCount else { return }
    switch bytes.byte(at: at) {
    case .quote: at = bytes.endOfString(at)
    case .openBracket, .openBrace: at = endOfContainer(bytes, at)
    default:
      while at < bytes.byteCount, !isEnd(bytes.byte(at: at)) { at &+= 1 }
    }
  }

  /// Whether a byte ends a number or a literal.
  private static func isEnd(_ byte: UInt8) -> Bool {
    byte == .comma || byte == .colon || byte == .closeBracket || byte == .closeBrace
      || byte.isJSONSpace
  }

  /// `[]{}"` for `RawSpan.places`.
  private static let structure: UInt64 = 0x5B5D_7B7D_2222_2222

  /// The offset after the array or object that begins at `start`.
  private static func endOfContainer(_ bytes: RawSpan, _ start: Int) -> Int {
    var (depth, isInString, escaped) = (0, false, -1)
    for block in stride(from: start, to: bytes.byteCount, by: 64) {
      var places = bytes.places(ofAny: structure, or: .backslash, from: block)
      while places != 0 {
        let at = block &+ places.trailingZeroBitCount
        places &= places &- 1
        switch bytes.byte(at: at) {
        case _ where at == escaped: continue
        case .backslash: escaped = at &+ 1
        case .quote: isInString.toggle()
        case _ where isInString: continue
        case .openBracket, .openBrace: depth &+= 1
        default:
          depth &-= 1
          if depth == 0 { return at &+ 1 }
        }
      }
    }
    return bytes.byteCount
  }

  public static func kind(of bytes: RawSpan, _ start: Int, _ end: Int) -> JSONElement.Kind {
    switch bytes.byte(at: start) {
    case .openBrace: return .object
    case .openBracket: return .array
    case .quote: return .string
    case UInt8(ascii: "t"): return .yes
    case UInt8(ascii: "f"): return .no
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "N"), UInt8(ascii: "I"): return .nonFinite
    default:
      for at in start..<end where bytes.byte(at: at) &- 0x30 >= 10 {
        return bytes.byte(at: end - 1) == UInt8(ascii: "y") ? .nonFinite : .number
      }
      return .natural
    }
  }
}
