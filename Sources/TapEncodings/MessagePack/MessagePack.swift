// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Converts MessagePack to JSON text.
enum MessagePack {
  /// Appends the value that begins at `start`; returns the offset after it.
  static func transcode(
    _ bytes: RawSpan, _ start: Int, _ composer: inout Composer, _ text: inout TextBuffer
  ) -> Int? {
    let count = bytes.byteCount
    var at = start
    while !composer.isWhole(&text) {
      if composer.isTooLarge(at, text) { return nil }
      let offset = at
      guard at < count else {
        composer.fail(.incomplete, at)
        return nil
      }
      let first = bytes.byte(at: at)
      at &+= 1
      if first < 0x80 {
        composer.natural(UInt64(first), offset, &text)
        continue
      }
      if first & 0xE0 == 0xA0 {
        let length = Int(first & 31)
        guard length <= count &- at else {
          composer.fail(.incomplete, offset)
          return nil
        }
        composer.text(bytes.extracting(at..<at &+ length), offset, at, &text)
        at &+= length
        continue
      }
      if first < 0xA0 {
        let claimed = UInt64(first & 15)
        let isObject = first < 0x90
        guard open(isObject, claimed, offset, left: count &- at, &composer, &text) else {
          return nil
        }
        continue
      }
      if first >= 0xE0 {
        composer.integer(Int64(Int8(bitPattern: first)), offset, &text)
        continue
      }
      let width = width(of: first)
      guard width <= count &- at else {
        composer.fail(.incomplete, offset)
        return nil
      }
      let number = bigEndian(bytes, at, width)
      at &+= width
      switch first {
      case 0xC0: composer.literal("null", offset, &text)
      case 0xC2: composer.literal("false", offset, &text)
      case 0xC3: composer.literal("true", offset, &text)
      case 0xCA:
        let float = Float(bitPattern: UInt32(truncatingIfNeeded: number))
        composer.float(Double(float), offset, &text)
      case 0xCB: composer.float(Double(bitPattern: number), offset, &text)
      case 0xCC...0xCF: composer.natural(number, offset, &text)
      case 0xD0: composer.integer(Int64(Int8(truncatingIfNeeded: number)), offset, &text)
      case 0xD1: composer.integer(Int64(Int16(truncatingIfNeeded: number)), offset, &text)
      case 0xD2: composer.integer(Int64(Int32(truncatingIfNeeded: number)), offset, &text)
      case 0xD3: composer.integer(Int64(bitPattern: number), offset, &text)
      case 0xDC, 0xDD:
        guard open(false, number, offset, left: count &- at, &composer, &text) else { return nil }
      case 0xDE, 0xDF:
        guard open(true, number, offset, left: count &- at, &composer, &text) else { return nil }
      case 0xC4...0xC9, 0xD4...0xDB:
        // For fixext, the first byte gives the length: 1, 2, 4, 8, 16.
        let isFixed = first >= 0xD4 && first <= 0xD8
        let isExtension = isFixed || first >= 0xC7 && first <= 0xC9
        let claimed = isFixed ? 1 << UInt64(first &- 0xD4) : number
        let header = isExtension ? 1 : 0
        guard claimed <= UInt64(count), Int(claimed) &+ header <= count &- at else {
          composer.fail(
            claimed > UInt64(count &+ composer.missing) ? .overlong : .incomplete, offset)
          return nil
        }
        let content = at &+ header
        let end = content &+ Int(claimed)
        if isExtension {
          let type = Int8(bitPattern: bytes.byte(at: at))
          append(extension: type, bytes.extracting(content..<end), offset, &composer, &text)
        } else if first >= 0xD9 {
          composer.text(bytes.extracting(content..<end), offset, content, &text)
        } else {
          composer.octets(bytes.extracting(content..<end), offset, &text)
        }
        at = end
      default:
        // 0xC1 is never used.
        composer.fail(.unexpected, offset)
        return nil
      }
    }
    return at
  }

  /// The offset of the characters of a string at `start`; nil when none begins there.
  static func content(ofText bytes: RawSpan, _ start: Int) -> Int? {
    guard start < bytes.byteCount else { return nil }
    let first = bytes.byte(at: start)
    if first & 0xE0 == 0xA0 { return start + 1 }
    return first >= 0xD9 && first <= 0xDB ? start + 1 + width(of: first) : nil
  }

  /// The width in bytes of the number after the first byte.
  @inline(__always) private static func width(of first: UInt8) -> Int {
    switch first {
    case 0xCC, 0xD0, 0xC4, 0xC7, 0xD9: 1
    case 0xCD, 0xD1, 0xC5, 0xC8, 0xDA, 0xDC, 0xDE: 2
    case 0xCA, 0xCE, 0xD2, 0xC6, 0xC9, 0xDB, 0xDD, 0xDF: 4
    case 0xCB, 0xCF, 0xD3: 8
    default: 0
    }
  }

  @inline(__always)
  private static func bigEndian(_ bytes: RawSpan, _ at: Int, _ width: Int) -> UInt64 {
    switch width {
    case 0: 0
    case 1: UInt64(bytes.byte(at: at))
    case 2: UInt64(bytes.uint16(at: at))
    case 4: UInt64(bytes.uint32(at: at))
    default: bytes.uint64(at: at)
    }
  }

  /// Each value takes at least a byte, so an impossible count is rejected at once.
  @inline(__always)
  private static func open(
    _ isObject: Bool, _ claimed: UInt64, _ offset: Int, left: Int, _ composer: inout Composer,
    _ text: inout TextBuffer
  ) -> Bool {
    let left = left &+ composer.missing
    guard claimed <= UInt64(isObject ? left / 2 : left) else {
      composer.fail(.overlong, offset)
      return false
    }
    return composer.open(isObject: isObject, Int(claimed), offset, &text)
  }

  private static func append(
    extension type: Int8, _ content: RawSpan, _ offset: Int, _ composer: inout Composer,
    _ text: inout TextBuffer
  ) {
    // msgpackr encodes `undefined` this way.
    if type == 0 && content.byteCount == 1 && content.byte(at: 0) == 0 {
      composer.note(.undefined, offset)
      return composer.literal("null", offset, &text)
    }
    let start = text.count
    if type == -1, append(timestamp: content, &text) {
      composer.note(.timestamp, offset)
    } else {
      composer.note(.extension, offset, UInt64(UInt8(bitPattern: type)))
      BinaryString.append(content, to: &text)
    }
    composer.ended(start, offset, &text)
  }

  /// Appends a timestamp in one of its three forms; false when it is something else.
  private static func append(timestamp content: RawSpan, _ text: inout TextBuffer) -> Bool {
    var seconds: Int64
    var nanoseconds: UInt64 = 0
    switch content.byteCount {
    case 4: seconds = Int64(content.uint32(at: 0))
    case 8:
      let both = content.uint64(at: 0)
      (seconds, nanoseconds) = (Int64(both & 0x3_FFFF_FFFF), both >> 34)
    case 12:
      nanoseconds = UInt64(content.uint32(at: 0))
      seconds = Int64(bitPattern: content.uint64(at: 4))
    default: return false
    }
    guard nanoseconds < 1_000_000_000 else { return false }
    if nanoseconds == 0 {
      text.append(decimal: Int(seconds))
      return true
    }
    // Nanoseconds count forwards, even before 1970.
    if seconds < 0 {
      text.append(byte: 0x2D)
      seconds += 1
      nanoseconds = 1_000_000_000 - nanoseconds
    }
    text.append(decimal: seconds.magnitude)
    text.append(byte: 0x2E)
    text.append(decimal: nanoseconds, width: 9)
    return true
  }
}
