// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Scans strings, numbers and literals (RFC 8259 §3, §6, §7). Each method returns the offset after
/// the value, or `failed`.
extension JSONScanner {
  /// Loads a byte unchecked; the caller has just compared the offset with the count.
  @inline(__always) static func load(_ bytes: RawSpan, _ at: Int) -> UInt8 {
    assert(at >= 0 && at < bytes.byteCount)
    return unsafe bytes.unsafeLoad(fromUncheckedByteOffset: at, as: UInt8.self)
  }

  /// A string with its quotes.
  @inline(__always)
  static func string(_ bytes: RawSpan, _ start: Int, _ seen: inout Seen) -> Int {
    var at = start &+ 1
    // In nearly all strings, the first byte that is not plain is the closing quote.
    while at &+ 16 <= bytes.byteCount {
      let special = bytes.unplainLanes(unchecked: at)
      if special == 0 {
        at &+= 16
        continue
      }
      at &+= special.trailingZeroBitCount
      if load(bytes, at) == .quote { return at &+ 1 }
      break
    }
    return restOfString(bytes, at, &seen)
  }

  /// The rest of a string near the end of the text, or with more than plain ASCII.
  @inline(never)
  private static func restOfString(_ bytes: RawSpan, _ start: Int, _ seen: inout Seen) -> Int {
    let count = bytes.byteCount
    var at = start
    while true {
      while at &+ 16 <= count {
        let special = bytes.unplainLanes(unchecked: at)
        at &+= special == 0 ? 16 : special.trailingZeroBitCount
        if special != 0 { break }
      }
      if at &+ 16 > count && at < count && count >= 16 {
        let special = bytes.unplainLanes(unchecked: count &- 16) >> UInt32(16 &- (count &- at))
        at = special == 0 ? count : at &+ special.trailingZeroBitCount
      }
      guard at < count else { return seen.fail(bytes, count) }
      let byte = load(bytes, at)
      if byte == .quote { return at &+ 1 }
      if byte == .backslash {
        (seen.escape, seen.keyEscape) = (true, true)
        let escape = endOfEscape(bytes, at)
        if escape.problem != nil { return seen.fail(bytes, escape.offset) }
        if escape.offset &- at == 6 && isSurrogate(bytes, at) { seen.unplain = true }
        at = escape.offset
        continue
      }
      if byte < 0x20 { return seen.fail(bytes, at) }
      at &+= 1
      if byte >= 0x7F {
        seen.unplain = true
        while at < count, load(bytes, at) >= 0x80 { at &+= 1 }
      }
    }
  }

  private static func endOfEscape(
    _ bytes: RawSpan, _ start: Int
  ) -> (offset: Int, problem: Problem?) {
    let count = bytes.byteCount
    guard start &+ 1 < count else { return (count, .incomplete) }
    switch load(bytes, start &+ 1) {
    case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: return (start &+ 2, nil)
    case UInt8(ascii: "u"):
      for at in start &+ 2..<start &+ 6 {
        guard at < count else { return (count, .incomplete) }
        guard load(bytes, at).isHexDigit else { return (at, .unexpected) }
      }
      return (start &+ 6, nil)
    default: return (start &+ 1, .unexpected)
    }
  }

  /// Whether the `\u` escape at an offset is half of a surrogate pair.
  private static func isSurrogate(_ bytes: RawSpan, _ at: Int) -> Bool {
    load(bytes, at &+ 2) | 0x20 == UInt8(ascii: "d") && load(bytes, at &+ 3) >= 0x38
  }

  /// A number (RFC 8259 §6), and what it is.
  @inline(__always)
  static func number(
    _ bytes: RawSpan, _ start: Int, _ seen: inout Seen
  ) -> (end: Int, kind: JSONElement.Kind) {
    if bytes.byteCount >= 16 {
      // Up to sixteen digits.
      let others = undigits(bytes, start) | 1 << 16
      let digits = others.trailingZeroBitCount
      let end = start &+ digits
      // Fast path: most numbers are one digit, or a few digits without a leading zero.
      if digits > 0 && end < bytes.byteCount && (digits < 16 || !load(bytes, end).isDigit)
        && (digits == 1 || load(bytes, start) != UInt8(ascii: "0"))
      {
        let next = load(bytes, end)
        if next != .period && next | 0x20 != UInt8(ascii: "e") { return (end, .natural) }
        // Most fractions have a few digits and no exponent.
        if next == .period && end &+ 1 < bytes.byteCount {
          let others = undigits(bytes, end &+ 1)
          let last = end &+ 1 &+ others.trailingZeroBitCount
          if others & 1 == 0, others != 0, last < bytes.byteCount,
            load(bytes, last) | 0x20 != UInt8(ascii: "e")
          {
            return (last, .number)
          }
        }
      }
    }
    return oddNumber(bytes, start, &seen)
  }

  /// A bit for each byte that is not a digit, the first in the lowest bit. Bits beyond the end of
  /// the text are 0.
  @inline(__always)
  private static func undigits(_ bytes: RawSpan, _ at: Int) -> UInt32 {
    let left = bytes.byteCount &- at
    if left >= 16 { return bytes.undigitLanes(unchecked: at) }
    return bytes.undigitLanes(unchecked: bytes.byteCount &- 16) &>> UInt32(16 &- left)
  }

  @inline(never)
  private static func oddNumber(
    _ bytes: RawSpan, _ start: Int, _ seen: inout Seen
  ) -> (end: Int, kind: JSONElement.Kind) {
    let count = bytes.byteCount
    var at = start
    var kind = JSONElement.Kind.natural
    if load(bytes, at) == .hyphen {
      kind = .number
      at &+= 1
      if at < count, load(bytes, at) == UInt8(ascii: "I") { return literal(bytes, at, &seen) }
    }
    let whole = at
    var exponentDigits = 0
    while at < count, load(bytes, at).isDigit { at &+= 1 }
    if at == whole { return (seen.fail(bytes, at), kind) }
    if at > whole &+ 1 && load(bytes, whole) == UInt8(ascii: "0") {
      return (seen.fail(bytes, whole &+ 1), kind)
    }
    if at < count, load(bytes, at) == .period {
      kind = .number
      at &+= 1
      let fraction = at
      while at < count, load(bytes, at).isDigit { at &+= 1 }
      if at == fraction { return (seen.fail(bytes, at), kind) }
    }
    if at < count, load(bytes, at) | 0x20 == UInt8(ascii: "e") {
      kind = .number
      at &+= 1
      if at < count, load(bytes, at) == UInt8(ascii: "+") || load(bytes, at) == .hyphen { at &+= 1 }
      let exponent = at
      while at < count, load(bytes, at).isDigit { at &+= 1 }
      exponentDigits = at &- exponent
      if at == exponent { return (seen.fail(bytes, at), kind) }
    }
    // Shorter numbers fit a double.
    if at &- start > 200 || exponentDigits > 2,
      JSON.isBeyondDouble(bytes.extracting(start..<at))
    {
      seen.unplain = true
    }
    return (at, kind)
  }

  /// `true`, `false`, `null`, or one of the accepted words that are not JSON.
  @inline(never)
  static func literal(
    _ bytes: RawSpan, _ start: Int, _ seen: inout Seen
  ) -> (end: Int, kind: JSONElement.Kind) {
    let count = bytes.byteCount
    if start &+ 4 <= count {
      let word = unsafe bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: start, as: UInt32.self
      ).littleEndian
      // "true", "null", and "fals" before an "e".
      if word == 0x6575_7274 { return (start &+ 4, .yes) }
      if word == 0x6C6C_756E { return (start &+ 4, .null) }
      if word == 0x736C_6166, start &+ 4 < count, load(bytes, start &+ 4) == 0x65 {
        return (start &+ 5, .no)
      }
    }
    return oddLiteral(bytes, start, &seen)
  }

  /// A literal that is truncated, wrong, or not JSON.
  private static func oddLiteral(
    _ bytes: RawSpan, _ start: Int, _ seen: inout Seen
  ) -> (end: Int, kind: JSONElement.Kind) {
    let kind: JSONElement.Kind
    let word: StaticString
    switch load(bytes, start) {
    case UInt8(ascii: "t"): (kind, word) = (.yes, "true")
    case UInt8(ascii: "f"): (kind, word) = (.no, "false")
    case UInt8(ascii: "n"): (kind, word) = (.null, "null")
    case UInt8(ascii: "N"): (kind, word) = (.nonFinite, "NaN")
    case UInt8(ascii: "I"): (kind, word) = (.nonFinite, "Infinity")
    default: return (seen.fail(bytes, start), .null)
    }
    var at = start
    let expected = unsafe word.utf8Start
    for index in 0..<word.utf8CodeUnitCount {
      guard at < bytes.byteCount, load(bytes, at) == (unsafe expected[index]) else {
        return (seen.fail(bytes, at), kind)
      }
      at &+= 1
    }
    if kind == .nonFinite { seen.nonFinite = true }
    return (at, kind)
  }
}
