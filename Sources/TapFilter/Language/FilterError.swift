// SPDX-License-Identifier: Apache-2.0

/// Why a filter is none: one sentence, the place, and what to write instead where that is known.
public struct FilterError: Error, Sendable {
  public var text: String
  /// The filter, or the named filter, that has the mistake.
  public var filter: String
  /// Bytes of it.
  public var place: Range<Int>

  /// The filter and, below it, a mark under the mistake; each with two spaces before it.
  public var picture: [String] {
    let bytes = Array(filter.utf8)
    let start = min(place.lowerBound, bytes.count)
    let end = min(place.upperBound, bytes.count)
    let before = String(decoding: bytes[..<start], as: Unicode.UTF8.self)
    let marked = String(decoding: bytes[start..<end], as: Unicode.UTF8.self)
    let line = filter.unicodeScalars.map { $0.value < 0x20 ? " " : String($0) }.joined()
    let spaces = String(repeating: " ", count: before.unicodeScalars.count)
    let waves = String(repeating: "~", count: max(marked.unicodeScalars.count, 1) - 1)
    return ["  \(line)", "  \(spaces)^\(waves)"]
  }
}
