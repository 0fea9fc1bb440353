// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// How a topic differs from another one that was meant, perhaps.
enum TopicLikeness {
  /// Characters that part the names of topics.
  private static let separators = Set("./:_-".utf8)

  /// Longer ones are not compared.
  private static let mostBytes = 512

  /// - Returns: nil where they are the same, or have little in common.
  static func difference(_ one: [UInt8], _ other: [UInt8]) -> String? {
    if one == other || one.isEmpty || other.isEmpty { return nil }
    if max(one.count, other.count) > mostBytes { return nil }
    if one.map(lowered) == other.map(lowered) { return "differs in upper and lower case" }
    let (oneParts, otherParts) = (parts(one), parts(other))
    if oneParts == otherParts { return "differs in a separator" }
    // One character of few says nothing: `a` and `b` are two topics.
    if min(one.count, other.count) >= 4 && isOneApart(one, other) {
      return "differs by one character"
    }
    return nil
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  /// Without separators, also at the ends.
  private static func parts(_ topic: [UInt8]) -> [ArraySlice<UInt8>] {
    topic.split { separators.contains($0) || $0 == .space }
  }

  /// One byte replaced, added or left out, or two that changed places.
  private static func isOneApart(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    let (long, short) = one.count >= other.count ? (one, other) : (other, one)
    if long.count - short.count > 1 { return false }
    var at = 0
    while at < short.count && long[at] == short[at] { at += 1 }
    if long.count > short.count { return long[(at + 1)...] == short[at...] }
    if long[(at + 1)...] == short[(at + 1)...] {
      // `room1` and `room2` are two rooms, and not one that was misspelt.
      return !(long[at].isDigit && short[at].isDigit)
    }
    guard at + 1 < long.count, long[at] == short[at + 1], long[at + 1] == short[at] else {
      return false
    }
    return long[(at + 2)...] == short[(at + 2)...]
  }
}
