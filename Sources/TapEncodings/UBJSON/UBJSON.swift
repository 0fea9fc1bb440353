// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Converts UBJSON (draft 12) to JSON text, and BJData (draft 3), which adds types and reverses the
/// byte order.
struct UBJSON {
  /// BJData: numbers are little-endian.
  let isLittleEndian: Bool

  /// The header after the opening bracket of a container.
  struct Header {
    /// The shared marker of all values; 0 when each has its own.
    var marker: UInt8 = 0
    /// The number of values; nil when the end is marked.
    var count: Int?
    /// The dimensions of a multi-dimensional array (BJData); otherwise empty.
    var dimensions: [Int] = []
    var end = 0
  }

  /// Appends the value that begins at `start`; returns the offset after it.
  func transcode(
    _ bytes: RawSpan, _ start: Int, _ composer: inout Composer, _ text: inout TextBuffer
  ) -> Int? {
    let count = bytes.byteCount
    var at = start
    while !composer.isWhole(&text) {
      if composer.isTooLarge(at, text) { return nil }
      let offset = at
      var marker = composer.here.marker
      if marker == 0 || composer.expectsKey {
        guard at < count else {
          composer.fail(.incomplete, at)
          return nil
        }
        let next = bytes.byte(at: at)
        if next == UInt8(ascii: "N") {
          composer.note(.noOp, at)
          at &+= 1
          continue
        }
        if composer.here.isEndless, next == (composer.here.isObject ? 0x7D : 0x5D) {
          at &+= 1
          guard composer.close(&text) else {
            composer.fail(.unexpected, offset)
            return nil
          }
          continue
        }
        // A key is always a string, so it has no marker.
        if composer.expectsKey {
          guard let end = string(bytes, at, offset, &composer, &text) else { return nil }
          at = end
          continue
        }
        marker = next
        at &+= 1
      }
      switch marker {
      case UInt8(ascii: "S"):
        guard let end = string(bytes, at, offset, &composer, &text) else { return nil }
        at = end
      case UInt8(ascii: "C"):
        guard at < count else {
          composer.fail(.incomplete, offset)
          return nil
        }
        composer.text(bytes.extracting(at..<at &+ 1), offset, at, &text)
        at &+= 1
      case UInt8(ascii: "H"):
        guard let content = length(bytes, at, offset, &composer) else { return nil }
        append(precise: bytes.extracting(content), offset, &composer, &text)
        at = content.upperBound
      case UInt8(ascii: "Z"): composer.literal("null", offset, &text)
      case UInt8(ascii: "T"): composer.literal("true", offset, &text)
      case UInt8(ascii: "F"): composer.literal("false", offset, &text)
      case 0x5B, 0x7B:
        guard let end = open(marker == 0x7B, bytes, at, offset, &composer, &text) else {
          return nil
        }
        at = end
      default:
        let width = width(of: marker)
        guard width > 0 else {
          composer.fail(.unexpected, offset)
          return nil
        }
        guard width <= count &- at else {
          composer.fail(.incomplete, offset)
          return nil
        }
        append(marker, bytes, at, offset, &composer, &text)
        at &+= width
      }
    }
    return at
  }

  /// Appends a number; its bytes must be present.
  func append(
    _ marker: UInt8, _ bytes: RawSpan, _ at: Int, _ offset: Int, _ composer: inout Composer,
    _ text: inout TextBuffer
  ) {
    switch marker {
    case UInt8(ascii: "h"):
      let half = UInt16(truncatingIfNeeded: bits(bytes, at, 2))
      composer.float(Double(half: half), offset, &text)
    case UInt8(ascii: "d"):
      let single = UInt32(truncatingIfNeeded: bits(bytes, at, 4))
      composer.float(Double(Float(bitPattern: single)), offset, &text)
    case UInt8(ascii: "D"):
      composer.float(Double(bitPattern: bits(bytes, at, 8)), offset, &text)
    case UInt8(ascii: "M"):
      let value = bits(bytes, at, 8)
      if value > Self.largestExact || value <= UInt64(UInt32.max) { composer.misfits &+= 1 }
      composer.natural(value, offset, &text)
    default:
      let value = integer(marker, bytes, at)
      if !fits(marker, value) { composer.misfits &+= 1 }
      composer.integer(value, offset, &text)
    }
  }

  /// 2^53: no id is larger.
  private static let largestExact: UInt64 = 9_007_199_254_740_992

  /// Whether an encoder that uses the shortest type would have chosen this one. In the wrong byte
  /// order, few numbers fit.
  @inline(__always)
  private func fits(_ marker: UInt8, _ value: Int64) -> Bool {
    switch marker {
    case UInt8(ascii: "I"): value < -128 || value > 255
    case UInt8(ascii: "u"): value > 255
    case UInt8(ascii: "l"): value < -32_768 || value > 32_767
    case UInt8(ascii: "m"): value > 65_535
    case UInt8(ascii: "L"):
      (value < -0x8000_0000 || value > 0x7FFF_FFFF) && value.magnitude <= Self.largestExact
    default: true
    }
  }

  /// The offset of the characters of a string whose marker is at `start`; nil when none begins
  /// there.
  func content(ofText bytes: RawSpan, _ start: Int) -> Int? {
    guard start + 1 < bytes.byteCount, bytes.byte(at: start) == UInt8(ascii: "S") else {
      return nil
    }
    let width = width(ofInteger: bytes.byte(at: start + 1))
    return width > 0 ? start + 2 + width : nil
  }

  /// Appends a string: its length, then its bytes.
  @inline(__always)
  private func string(
    _ bytes: RawSpan, _ at: Int, _ offset: Int, _ composer: inout Composer,
    _ text: inout TextBuffer
  ) -> Int? {
    guard let content = length(bytes, at, offset, &composer) else { return nil }
    composer.text(bytes.extracting(content), offset, content.lowerBound, &text)
    return content.upperBound
  }

  /// Reads a length, a non-negative integer, and returns the range of the bytes that it counts.
  @inline(__always)
  private func length(
    _ bytes: RawSpan, _ at: Int, _ offset: Int, _ composer: inout Composer
  ) -> Range<Int>? {
    guard let (length, start) = natural(bytes, at, offset, &composer) else { return nil }
    guard length <= bytes.byteCount &- start else {
      composer.fail(
        length > bytes.byteCount &+ composer.missing ? .overlong : .incomplete, offset)
      return nil
    }
    return start..<start &+ length
  }

  /// Reads a non-negative integer with its marker; returns it and the offset after it.
  func natural(
    _ bytes: RawSpan, _ at: Int, _ offset: Int, _ composer: inout Composer
  ) -> (value: Int, end: Int)? {
    guard at < bytes.byteCount else {
      composer.fail(.incomplete, offset)
      return nil
    }
    let marker = bytes.byte(at: at)
    let width = width(ofInteger: marker)
    guard width > 0 else {
      composer.fail(.unexpected, at)
      return nil
    }
    guard width < bytes.byteCount &- at else {
      composer.fail(.incomplete, offset)
      return nil
    }
    if marker == UInt8(ascii: "M"), bits(bytes, at &+ 1, 8) > UInt64(Int.max) {
      composer.fail(.overlong, offset)
      return nil
    }
    let value = integer(marker, bytes, at &+ 1)
    guard value >= 0 else {
      composer.fail(.unexpected, at)
      return nil
    }
    return (Int(value), at &+ 1 &+ width)
  }

  /// The width of a number in bytes; 0 for other markers.
  @inline(__always)
  func width(of marker: UInt8) -> Int {
    switch marker {
    case UInt8(ascii: "i"), UInt8(ascii: "U"): 1
    case UInt8(ascii: "I"): 2
    case UInt8(ascii: "l"), UInt8(ascii: "d"): 4
    case UInt8(ascii: "L"), UInt8(ascii: "D"): 8
    case UInt8(ascii: "B"): isLittleEndian ? 1 : 0
    case UInt8(ascii: "u"), UInt8(ascii: "h"): isLittleEndian ? 2 : 0
    case UInt8(ascii: "m"): isLittleEndian ? 4 : 0
    case UInt8(ascii: "M"): isLittleEndian ? 8 : 0
    default: 0
    }
  }

  /// The same, but 0 for floating-point numbers too.
  func width(ofInteger marker: UInt8) -> Int {
    marker | 0x20 == UInt8(ascii: "d") || marker == UInt8(ascii: "h") ? 0 : width(of: marker)
  }

  /// An integer of at most 63 bits; its bytes must be present. (`M` is read as its bits.)
  @inline(__always)
  func integer(_ marker: UInt8, _ bytes: RawSpan, _ at: Int) -> Int64 {
    switch marker {
    case UInt8(ascii: "i"): Int64(Int8(bitPattern: bytes.byte(at: at)))
    case UInt8(ascii: "U"), UInt8(ascii: "B"): Int64(bytes.byte(at: at))
    case UInt8(ascii: "I"): Int64(Int16(truncatingIfNeeded: bits(bytes, at, 2)))
    case UInt8(ascii: "u"): Int64(bits(bytes, at, 2))
    case UInt8(ascii: "l"): Int64(Int32(truncatingIfNeeded: bits(bytes, at, 4)))
    case UInt8(ascii: "m"): Int64(bits(bytes, at, 4))
    default: Int64(bitPattern: bits(bytes, at, 8))
    }
  }

  /// `width` bytes in the dialect's byte order.
  @inline(__always)
  func bits(_ bytes: RawSpan, _ at: Int, _ width: Int) -> UInt64 {
    switch width {
    case 2:
      let bits = bytes.uint16(at: at)
      return UInt64(isLittleEndian ? bits.byteSwapped : bits)
    case 4:
      let bits = bytes.uint32(at: at)
      return UInt64(isLittleEndian ? bits.byteSwapped : bits)
    default:
      let bits = bytes.uint64(at: at)
      return isLittleEndian ? bits.byteSwapped : bits
    }
  }

  /// Appends a high-precision number: its digits as sent, if they are a JSON number.
  private func append(
    precise digits: RawSpan, _ offset: Int, _ composer: inout Composer,
    _ text: inout TextBuffer
  ) {
    var scanner = JSONScanner(maximumDepth: 0)
    let isNumber =
      scanner.scan(digits) == digits.byteCount && scanner.isStrict && !scanner.hasSpace
      && (scanner.elements[0].kind == .natural || scanner.elements[0].kind == .number)
    if isNumber {
      let start = text.count
      if scanner.hasUnplain { composer.hasUnplain = true }
      text.append(digits)
      return composer.ended(start, offset, &text)
    }
    composer.note(.notANumber, offset)
    composer.text(digits, offset, offset, &text)
  }
}
