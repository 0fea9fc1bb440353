// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The path to a value of a message: `payload.query`, `[3]`, `params[0].resume`.
struct JSONPath: Sendable, ExpressibleByStringLiteral {
  enum Step: Sendable, Hashable {
    case key([UInt8])
    case element(Int)
    /// A member of an object that is JSON text inside a string: `identifier>channel`.
    case inside([UInt8])
    /// The first name after the first brace of a text: the field that a GraphQL query requests.
    case field
  }

  let steps: [Step]

  init(_ steps: ArraySlice<Step>) { self.steps = Array(steps) }

  /// - Parameter text: keys after dots, list indices in brackets; after `>` the key of a member of
  ///   JSON inside a string, after `{` nothing. Empty for the message itself.
  init(_ text: String) {
    var steps: [Step] = []
    var word: [UInt8] = []
    var isInside = false
    func end() {
      if word.isEmpty { return }
      steps.append(isInside ? .inside(word) : .key(word))
      word = []
    }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "."), UInt8(ascii: "["): end()
      case UInt8(ascii: ">"):
        end()
        isInside = true
      case UInt8(ascii: "{"):
        end()
        steps.append(.field)
      case UInt8(ascii: "]"):
        steps.append(.element(Int(String(decoding: word, as: Unicode.UTF8.self)) ?? 0))
        word = []
      default: word.append(byte)
      }
    }
    end()
    self.steps = steps
  }

  init(stringLiteral text: String) { self.init(text) }

  /// The value at this path, starting from another value; nil when there is none. For a repeated
  /// key the last one, as in most parsers.
  func value(in start: JSONElement, _ bytes: RawSpan) -> JSONElement? {
    var value = start
    for step in steps {
      switch step {
      case .key(let key):
        guard let next = Self.member(key, of: value, bytes) else { return nil }
        value = next
      case .element(let index):
        guard let next = Self.element(index, of: value, bytes) else { return nil }
        value = next
      case .inside(let key):
        guard value.kind == .string, let range = Self.find(key, in: value.content, bytes)
        else { return nil }
        // A string's range includes its quotes: here the bytes around the text take their place.
        return JSONElement(.string, ByteRange(range.start - 1, range.end + 1))
      case .field:
        guard value.kind == .string, let range = Self.field(of: value.content, bytes)
        else { return nil }
        return JSONElement(.string, ByteRange(range.start - 1, range.end + 1))
      }
    }
    return value
  }

  private static func member(
    _ key: [UInt8], of object: JSONElement, _ bytes: RawSpan
  ) -> JSONElement? {
    guard object.kind == .object else { return nil }
    var found: JSONElement?
    var members = JSON.Members(of: object.range)
    while let member = members.next(bytes) {
      if bytes[member.key].equals(key.span.bytes) { found = member.value }
    }
    return found
  }

  static func element(
    _ index: Int, of list: JSONElement, _ bytes: RawSpan
  ) -> JSONElement? {
    guard list.kind == .array else { return nil }
    var at = list.range.start + 1
    let inside = bytes.extracting(0..<list.range.end)
    for _ in 0..<index where JSON.next(inside, &at, inObject: false) == nil { return nil }
    return JSON.next(inside, &at, inObject: false)?.value
  }

  /// The text of `\"key\":\"text\"` in the content of a string.
  private static func find(
    _ key: [UInt8], in content: ByteRange, _ bytes: RawSpan
  ) -> ByteRange? {
    let quote: [UInt8] = Array(#"\""#.utf8)
    let wanted = quote + key + quote
    var at = content.start
    while at + wanted.count < content.end {
      guard bytes.extracting(at..<at + wanted.count).equals(wanted.span.bytes) else {
        at += 1
        continue
      }
      at += wanted.count
      while at < content.end, bytes.byte(at: at) == .colon || bytes.byte(at: at) == .space {
        at += 1
      }
      guard at + 1 < content.end, bytes.extracting(at..<at + 2).equals(quote.span.bytes) else {
        return nil
      }
      guard let end = bytes.firstIndex(of: .backslash, from: at + 2), end < content.end else {
        return nil
      }
      return ByteRange(at + 2, end)
    }
    return nil
  }

  private static func field(of content: ByteRange, _ bytes: RawSpan) -> ByteRange? {
    let text = bytes.extracting(0..<content.end)
    guard let brace = text.firstIndex(of: UInt8(ascii: "{"), from: content.start) else {
      return nil
    }
    var at = brace + 1
    while at < content.end, text.byte(at: at) <= 0x20 || text.byte(at: at) == .backslash {
      // Line ends and tabs are escaped in JSON.
      at += text.byte(at: at) == .backslash ? 2 : 1
    }
    let start = at
    while at < content.end, text.byte(at: at).isWord { at += 1 }
    return at > start ? ByteRange(start, at) : nil
  }
}
