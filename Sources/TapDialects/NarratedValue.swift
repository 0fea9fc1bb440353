// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// A JSON value that a program prints over several lines. It ends with its last bracket.
struct NarratedValue {
  private(set) var bytes: [UInt8] = []
  /// The number of open brackets.
  private var depth = 0

  /// The limit of a value over several lines, in bytes.
  private static let longest = 1 << 20

  /// Whether it continues on the next line.
  var isOpen: Bool { depth > 0 && bytes.count <= Self.longest }

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
    depth += Self.brackets(line)
  }

  /// Opened minus closed brackets on a line. Strings do not continue on the next line.
  private static func brackets(_ line: RawSpan) -> Int {
    var (depth, at) = (0, 0)
    var isInString = false
    while at < line.byteCount {
      switch line.byte(at: at) {
      case .backslash: at += 1
      case .quote: isInString.toggle()
      case .openBrace, .openBracket: if !isInString { depth += 1 }
      case .closeBrace, .closeBracket: if !isInString { depth -= 1 }
      default: break
      }
      at += 1
    }
    return depth
  }
}
