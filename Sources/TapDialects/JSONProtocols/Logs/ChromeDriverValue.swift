// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// A value as chromedriver prints it, with “…” in place of what it left out. Unless started with
/// `--replayable`, it cuts strings to 200 bytes that end with `...`, and lists and objects to 19
/// elements followed by `"..."`.
struct ChromeDriverValue {
  private(set) var text: [UInt8] = []
  private(set) var isCut = false

  /// Stands for a value that is not complete in the log.
  static var unread: Self {
    var value = Self()
    (value.text, value.isCut) = (Array(#""…""#.utf8), true)
    return value
  }

  private static let dots: StaticString = "..."
  /// The length of a cut string in bytes: less than 200 if a character of several bytes was cut.
  private static let lengths = 197...200
  /// The index of the element that stands for the omitted ones.
  private static let last = 19

  private init() {}

  init(_ bytes: RawSpan) {
    text.reserveCapacity(bytes.byteCount)
    // The index of the next element, for each open bracket.
    var places = [0]
    var at = 0
    while at < bytes.byteCount {
      let byte = bytes.byte(at: at)
      text.append(byte)
      at += 1
      switch byte {
      case .openBrace, .openBracket: places.append(0)
      case .closeBrace, .closeBracket: if places.count > 1 { places.removeLast() }
      case .comma: places[places.count - 1] += 1
      case .quote:
        let end = Self.end(ofString: bytes, from: at)
        let string = bytes.extracting(at..<end)
        append(string, place: places[places.count - 1])
        at = end
        if at < bytes.byteCount {
          text.append(.quote)
          at += 1
        }
      default: break
      }
    }
  }

  private mutating func append(_ string: RawSpan, place: Int) {
    let count = string.byteCount - Self.dots.utf8CodeUnitCount
    guard count >= 0, string.dropping(count).equals(Self.dots),
      count == 0 ? place == Self.last : Self.lengths.contains(Self.length(string))
    else {
      text += string.copied()
      return
    }
    text += string.extracting(0..<count).copied()
    text += "…".utf8
    isCut = true
  }

  private static func end(ofString bytes: RawSpan, from start: Int) -> Int {
    var at = start
    while at < bytes.byteCount, bytes.byte(at: at) != .quote {
      at += bytes.byte(at: at) == .backslash ? 2 : 1
    }
    return min(at, bytes.byteCount)
  }

  /// The length of a string in bytes after unescaping.
  private static func length(_ string: RawSpan) -> Int {
    var (at, length) = (0, 0)
    while at < string.byteCount {
      guard string.byte(at: at) == .backslash else {
        (at, length) = (at + 1, length + 1)
        continue
      }
      let isNumber = at + 5 < string.byteCount && string.byte(at: at + 1) == UInt8(ascii: "u")
      if !isNumber {
        (at, length) = (at + 2, length + 1)
        continue
      }
      // `<` and control characters are ASCII; U+2028 and U+2029 take three bytes.
      let isASCII = string.extracting(at + 2..<at + 4).equals("00")
      (at, length) = (at + 6, length + (isASCII ? 1 : 3))
    }
    return length
  }
}
