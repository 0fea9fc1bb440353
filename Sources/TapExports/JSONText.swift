// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The content of a JSON string (RFC 8259 §7) that comes in pieces: escapes are resolved, wherever
/// it is cut.
struct JSONText {
  private enum Escape {
    case none
    /// Behind a backslash.
    case begun
    /// In the digits of `\u`.
    case digits(count: Int, value: UInt32)
  }

  /// The content, as far as it is wanted.
  private(set) var bytes = Scratch()
  /// Bytes of all of it.
  private(set) var length: UInt64 = 0
  /// An escape has no meaning, or its digits are none.
  private(set) var isBroken = false
  private var most = 0
  private var escape = Escape.none
  /// The first half of a surrogate pair.
  private var high: UInt32 = 0

  /// The next string begins.
  mutating func begin(most: Int) {
    bytes.removeAll()
    bytes.shrink(above: 1 << 20)
    (self.most, length, isBroken, escape, high) = (most, 0, false, .none, 0)
  }

  /// Takes what is there of the string from `at` on, and moves it behind that. Answers whether the
  /// string has ended.
  mutating func read(_ chunk: RawSpan, _ at: inout Int) -> Bool {
    while at < chunk.byteCount {
      if case .none = escape {
        let end = Self.plainEnd(chunk, at)
        if end > at {
          if high != 0 { endSurrogate() }
          append(chunk.extracting(at..<end))
          at = end
          continue
        }
      }
      let byte = chunk.byte(at: at)
      at += 1
      if read(byte) { return true }
    }
    return false
  }

  /// Appends bytes as they are, whatever they are.
  mutating func append(verbatim run: RawSpan) { append(run) }

  /// A byte of a number or of a name such as `true`.
  mutating func append(literal byte: UInt8) { append(byte) }

  /// A quote, a backslash, or what belongs to an escape.
  private mutating func read(_ byte: UInt8) -> Bool {
    switch escape {
    case .none where byte == .quote:
      if high != 0 { endSurrogate() }
      return true
    case .none: escape = .begun
    case .begun:
      escape = .none
      if byte == UInt8(ascii: "u") {
        escape = .digits(count: 0, value: 0)
      } else {
        if high != 0 { endSurrogate() }
        append(Self.meaning(of: byte))
      }
    case .digits(let count, let value):
      let digit = Digits.hexValue(byte)
      let next = value << 4 | UInt32(digit ?? 0)
      if digit == nil { isBroken = true }
      escape = .digits(count: count + 1, value: next)
      if count == 3 {
        escape = .none
        append(unit: next)
      }
    }
    return false
  }

  /// Where a run of bytes without quotes and backslashes ends.
  static func plainEnd(_ chunk: RawSpan, _ start: Int) -> Int {
    var at = start
    while at < chunk.byteCount {
      while at &+ 16 <= chunk.byteCount {
        let lanes = chunk.unplainLanes(unchecked: at)
        if lanes != 0 {
          at &+= lanes.trailingZeroBitCount
          break
        }
        at &+= 16
      }
      guard at < chunk.byteCount else { break }
      let byte = chunk.byte(at: at)
      if byte == .quote || byte == .backslash { return at }
      at &+= 1
    }
    return chunk.byteCount
  }

  private mutating func append(_ run: RawSpan) {
    length += UInt64(run.byteCount)
    let room = most - bytes.count
    if room > 0 { bytes.append(run.extracting(0..<min(room, run.byteCount))) }
  }

  private mutating func append(_ byte: UInt8?) {
    guard let byte else { return isBroken = true }
    length += 1
    if bytes.count < most { bytes.append(byte) }
  }

  /// One unit of UTF-16.
  private mutating func append(unit: UInt32) {
    if high != 0 && unit & 0xFC00 == 0xDC00 {
      append(scalar: 0x10000 + (high & 0x3FF) << 10 + unit & 0x3FF)
      high = 0
      return
    }
    if high != 0 { endSurrogate() }
    if unit & 0xFC00 == 0xD800 { high = unit } else { append(scalar: unit) }
  }

  /// Half of a pair without the other is encoded as if it were a character. That is no UTF-8, which
  /// is reported when the text is checked.
  private mutating func endSurrogate() {
    let half = high
    high = 0
    append(scalar: half)
  }

  private mutating func append(scalar: UInt32) {
    func octet(_ value: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: value) }
    switch scalar {
    case 0..<0x80: append(octet(scalar))
    case 0x80..<0x800:
      append(octet(0xC0 | scalar >> 6))
      append(octet(0x80 | scalar & 0x3F))
    case 0x800..<0x10000:
      append(octet(0xE0 | scalar >> 12))
      append(octet(0x80 | scalar >> 6 & 0x3F))
      append(octet(0x80 | scalar & 0x3F))
    default:
      append(octet(0xF0 | scalar >> 18))
      append(octet(0x80 | scalar >> 12 & 0x3F))
      append(octet(0x80 | scalar >> 6 & 0x3F))
      append(octet(0x80 | scalar & 0x3F))
    }
  }

  private static func meaning(of byte: UInt8) -> UInt8? {
    switch byte {
    case .quote, .backslash, .slash: byte
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): .lineFeed
    case UInt8(ascii: "r"): .carriageReturn
    case UInt8(ascii: "t"): .tab
    default: nil
    }
  }
}
