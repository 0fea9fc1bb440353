// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Converts CBOR (RFC 8949) to JSON text, as its §6.1 advises, except for byte strings, which have
/// WAMP's own form, and for values that are not finite.
enum CBOR {
  /// The head of a data item (RFC 8949 §3).
  struct Head {
    /// 0 to 7.
    var major: UInt8
    /// The low five bits of the first byte; 31 for indefinite length, and for the break.
    var additional: UInt8
    var argument: UInt64
    /// The offset after the head.
    var end: Int
  }

  /// The tags of integers with more than 64 bits (§3.4.3), and of self-described CBOR (§3.4.6).
  private static let (positive, negative, selfDescribed): (UInt64, UInt64, UInt64) = (2, 3, 55799)

  /// Appends the value that begins at `start`; returns the offset after it.
  static func transcode(
    _ bytes: RawSpan, _ start: Int, _ composer: inout Composer, _ text: inout TextBuffer
  ) -> Int? {
    let count = bytes.byteCount
    var at = start
    while !composer.isWhole(&text) {
      if composer.isTooLarge(at, text) { return nil }
      let offset = at
      guard let head = head(bytes, at, &composer) else { return nil }
      at = head.end
      switch head.major {
      case 0: composer.natural(head.argument, offset, &text)
      case 1: append(negative: head.argument, offset, &composer, &text)
      case 2, 3:
        if head.additional == 31 {
          var isText = head.major == 3
          guard let end = gather(bytes, at, head.major, &isText, &composer) else { return nil }
          at = end
          append(pieces: head.major, isText, offset, &composer, &text)
        } else {
          guard head.argument <= UInt64(count &- at) else {
            composer.fail(
              head.argument > UInt64(count &+ composer.missing) ? .overlong : .incomplete, offset)
            return nil
          }
          let end = at &+ Int(head.argument)
          let content = bytes.extracting(at..<end)
          if head.major == 3 {
            composer.text(content, offset, at, &text)
          } else {
            composer.octets(content, offset, &text)
          }
          at = end
        }
      case 4, 5:
        let isObject = head.major == 5
        let isEndless = head.additional == 31
        let left = count &- at &+ composer.missing
        let room = isObject ? left / 2 : left
        guard isEndless || head.argument <= UInt64(room) else {
          composer.fail(.overlong, offset)
          return nil
        }
        let length = isEndless ? nil : Int(head.argument)
        guard composer.open(isObject: isObject, length, offset, &text) else { return nil }
      case 6:
        guard let end = append(tagged: head, bytes, offset, &composer, &text) else { return nil }
        at = end
      default:
        if head.additional == 31 {
          guard composer.here.isEndless, composer.close(&text) else {
            composer.fail(.unexpected, offset)
            return nil
          }
        } else {
          append(simple: head, offset, &composer, &text)
        }
      }
    }
    return at
  }

  /// The offset of the characters of a text string with definite length at `start`; nil when none
  /// begins there.
  static func content(ofText bytes: RawSpan, _ start: Int) -> Int? {
    guard start < bytes.byteCount, bytes.byte(at: start) >> 5 == 3 else { return nil }
    let additional = bytes.byte(at: start) & 31
    if additional < 24 { return start + 1 }
    return additional < 28 ? start + 1 + 1 << Int(additional - 24) : nil
  }

  /// Reads a head; nil, with a fault, when it is not valid.
  @inline(__always)
  private static func head(_ bytes: RawSpan, _ start: Int, _ composer: inout Composer) -> Head? {
    let left = bytes.byteCount &- start
    guard left > 0 else {
      composer.fail(.incomplete, start)
      return nil
    }
    let first = bytes.byte(at: start)
    let (major, additional) = (first >> 5, first & 31)
    var head = Head(
      major: major, additional: additional, argument: UInt64(additional), end: start &+ 1)
    if additional < 24 { return head }
    if additional < 28 {
      let width = 1 << Int(additional &- 24)
      guard left > width else {
        composer.fail(.incomplete, start)
        return nil
      }
      switch width {
      case 1: head.argument = UInt64(bytes.byte(at: start &+ 1))
      case 2: head.argument = UInt64(bytes.uint16(at: start &+ 1))
      case 4: head.argument = UInt64(bytes.uint32(at: start &+ 1))
      default: head.argument = bytes.uint64(at: start &+ 1)
      }
      head.end = start &+ 1 &+ width
      // §3.3: a simple value below 32 has no second byte.
      if major != 7 || width > 1 || head.argument >= 32 { return head }
    } else if additional == 31 && major >= 2 && major != 6 {
      return head
    }
    composer.fail(.unexpected, start)
    return nil
  }

  /// -1 - n, which may need 65 bits.
  private static func append(
    negative argument: UInt64, _ offset: Int, _ composer: inout Composer,
    _ text: inout TextBuffer
  ) {
    let start = text.count
    if argument == .max {
      text.append("-18446744073709551616")
    } else {
      text.append(byte: 0x2D)
      text.append(decimal: argument &+ 1)
    }
    composer.ended(start, offset, &text)
  }

  private static func append(
    simple head: Head, _ offset: Int, _ composer: inout Composer, _ text: inout TextBuffer
  ) {
    switch head.additional {
    case 20: composer.literal("false", offset, &text)
    case 21: composer.literal("true", offset, &text)
    case 22: composer.literal("null", offset, &text)
    case 23:
      composer.note(.undefined, offset)
      composer.literal("null", offset, &text)
    case 25:
      let half = Double(half: UInt16(truncatingIfNeeded: head.argument))
      composer.float(half, offset, &text)
    case 26:
      let single = Float(bitPattern: UInt32(truncatingIfNeeded: head.argument))
      composer.float(Double(single), offset, &text)
    case 27: composer.float(Double(bitPattern: head.argument), offset, &text)
    default:
      composer.note(.simpleValue, offset, head.argument)
      composer.literal("null", offset, &text)
    }
  }

  /// Handles a tag. Returns the offset of the tagged item, or for a big integer its end.
  private static func append(
    tagged head: Head, _ bytes: RawSpan, _ offset: Int, _ composer: inout Composer,
    _ text: inout TextBuffer
  ) -> Int? {
    let next = head.end
    // A tag must precede an item, and a break is not one.
    if next < bytes.byteCount && bytes.byte(at: next) == 0xFF {
      composer.fail(.unexpected, next)
      return nil
    }
    if head.argument == positive || head.argument == negative, next < bytes.byteCount,
      bytes.byte(at: next) >> 5 == 2, bytes.byte(at: next) != 0x5F
    {
      guard let content = Self.head(bytes, next, &composer) else { return nil }
      guard content.argument <= UInt64(bytes.byteCount &- content.end) else {
        composer.fail(
          content.argument > UInt64(bytes.byteCount) ? .overlong : .incomplete, next)
        return nil
      }
      let end = content.end &+ Int(content.argument)
      let octets = bytes.extracting(content.end..<end)
      if octets.byteCount <= BigInteger.maximumOctets {
        let start = text.count
        // Longer ones may exceed a double; up to 64 bytes are safe.
        if octets.byteCount > 64 { composer.hasUnplain = true }
        BigInteger.append(octets, isNegative: head.argument == negative, to: &text)
        composer.ended(start, offset, &text)
        return end
      }
    }
    if head.argument != selfDescribed { composer.note(.tag, offset, head.argument) }
    return next
  }

  /// Concatenates the chunks of an indefinite-length string (§3.2.3); returns the offset after it.
  /// It counts as bytes when a chunk is not UTF-8, as characters must not be split between chunks.
  private static func gather(
    _ bytes: RawSpan, _ start: Int, _ major: UInt8, _ isText: inout Bool,
    _ composer: inout Composer
  ) -> Int? {
    composer.pieces.removeAll()
    var at = start
    while true {
      guard let head = head(bytes, at, &composer) else { return nil }
      if head.major == 7 && head.additional == 31 { return head.end }
      // Chunks are definite-length strings of the same kind.
      guard head.major == major, head.additional != 31 else {
        composer.fail(.unexpected, at)
        return nil
      }
      guard head.argument <= UInt64(bytes.byteCount &- head.end) else {
        composer.fail(head.argument > UInt64(bytes.byteCount) ? .overlong : .incomplete, at)
        return nil
      }
      let end = head.end &+ Int(head.argument)
      let chunk = bytes.extracting(head.end..<end)
      if isText, let invalid = UTF8.firstInvalid(in: chunk) {
        composer.note(.invalidUTF8, head.end &+ invalid)
        isText = false
      }
      composer.pieces.append(chunk)
      at = end
    }
  }

  private static func append(
    pieces major: UInt8, _ isText: Bool, _ offset: Int, _ composer: inout Composer,
    _ text: inout TextBuffer
  ) {
    let start = text.count
    if isText {
      composer.hasUnplain = true
      JSONString.append(composer.pieces.bytes, to: &text)
      if composer.pieces.count > 0 && composer.pieces.bytes.byte(at: 0) == 0 {
        composer.note(.leadingNUL, offset)
      }
    } else {
      BinaryString.append(composer.pieces.bytes, to: &text)
    }
    composer.ended(start, offset, isText: major == 3, &text)
  }
}
