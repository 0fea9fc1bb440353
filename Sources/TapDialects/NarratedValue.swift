// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// A JSON value that a program prints over several lines. It ends with its last bracket.
struct NarratedValue {
  private(set) var bytes: [UInt8] = []
  private var brackets = BracketCount()

  /// The limit of a value over several lines, in bytes.
  private static let longest = 1 << 20

  /// Whether it continues on the next line.
  var isOpen: Bool { brackets.depth > 0 && bytes.count <= Self.longest }

  init() {}

  init(_ text: StaticString) { bytes = Array("\(text)".utf8) }

  /// Whether a line may continue a value: its members are indented, and brackets close it.
  static func goesOn(_ line: RawSpan) -> Bool {
    guard line.byteCount > 0 else { return false }
    let first = line.byte(at: 0)
    return first.isWSP || first == .closeBrace || first == .closeBracket
  }

  /// Adds a line.
  mutating func take(_ line: RawSpan) {
    if !bytes.isEmpty { bytes.append(.lineFeed) }
    bytes += line.copied()
    // Strings do not continue on the next line.
    brackets.isInString = false
    for at in 0..<line.byteCount { _ = brackets.take(line.byte(at: at)) }
  }
}
