// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// A value as chromedriver prints it, with “…” where it has left something out: unless it was
/// started with `--replayable`, it prints 200 bytes of a string, `...` at their end, and 19
/// elements of a list or an object, `"..."` behind them.
struct ChromeDriverValue {
  private(set) var text: [UInt8] = []
  private(set) var isCut = false

  /// What stands for a value that the log does not have whole.
  static var unread: Self {
    var value = Self()
    (value.text, value.isCut) = (Array(#""…""#.utf8), true)
    return value
  }

  private static let dots: StaticString = "..."
  /// Bytes of a string that was cut: fewer where the last character was left out whole.
  private static let lengths = 197...200
  /// The place of what stands for the elements that were left out.
  private static let last = 19

  private init() {}

  init(_ bytes: RawSpan) {
    text.reserveCapacity(bytes.byteCount)
    // Elements ahead of the next one, in each of the brackets that are open.
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

  /// Bytes of a string without its escapes.
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
      // Only `<` and controls are ASCII; the others are those that end lines in JavaScript.
      let isASCII = string.extracting(at + 2..<at + 4).equals("00")
      (at, length) = (at + 6, length + (isASCII ? 1 : 3))
    }
    return length
  }
}
