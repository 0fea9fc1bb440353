// SPDX-License-Identifier: Apache-2.0

/// Why a filter is not valid: one sentence, the place, and a correction if known.
public struct FilterError: Error, Sendable {
  public var text: String
  /// The filter, or the named filter, with the mistake.
  public var filter: String
  /// The range of the mistake, in bytes.
  public var place: Range<Int>

  /// The filter, and below it a mark under the mistake, both indented by two spaces.
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
