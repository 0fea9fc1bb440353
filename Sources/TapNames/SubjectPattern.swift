// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Which topics and procedures a rule applies to: `com.chat.message` itself, `com.chat.*` for all
/// with this prefix, `com..update` with any one part between the dots, like WAMP's wildcards.
public struct SubjectPattern: Sendable {
  /// The parts between the dots; an empty one matches any.
  private let parts: [[UInt8]]
  /// The last part is only a prefix.
  private let isPrefix: Bool

  /// Matches every message, even with an unknown subject.
  public static let any = SubjectPattern(parts: [[]], isPrefix: true)

  private init(parts: [[UInt8]], isPrefix: Bool) {
    (self.parts, self.isPrefix) = (parts, isPrefix)
  }

  public init(_ text: String) throws(NamesFault) {
    if text.isEmpty { throw NamesFault("a subject without a character matches nothing") }
    isPrefix = text.hasSuffix("*")
    let plain = isPrefix ? text.dropLast() : text[...]
    if plain.contains("*") {
      throw NamesFault("a '*' stands at the end of a subject only; 'a..c' has any part between")
    }
    if plain.contains(where: \.isWhitespace) { throw NamesFault("a subject has no spaces") }
    parts = plain.split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) }
  }

  public var matchesUnknown: Bool { isPrefix && parts == [[]] }

  public func matches(_ subject: RawSpan) -> Bool {
    var at = 0
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      if isLast && isPrefix {
        return subject.byteCount - at >= part.count
          && subject.extracting(at..<at + part.count).equals(part.span.bytes)
      }
      let end = subject.firstIndex(of: UInt8(ascii: "."), from: at) ?? subject.byteCount
      if part.isEmpty {
        if end == at { return false }
      } else if !subject.extracting(at..<end).equals(part.span.bytes) {
        return false
      }
      if isLast { return end == subject.byteCount }
      if end == subject.byteCount { return false }
      at = end + 1
    }
    return false
  }
}
