// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// How a topic differs from one that was perhaps meant instead.
enum TopicDifference {
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
    // Short topics may differ by one character on purpose: `a` and `b`.
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

  private static func isOneApart(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    // `room1` and `room2` are two rooms, and not one that was misspelt.
    let isNumbered =
      one.count == other.count
      && zip(one, other).contains { $0 != $1 && $0.isDigit && $1.isDigit }
    return abs(one.count - other.count) < 2 && !isNumbered && Spelling.distance(one, other) == 1
  }
}
