// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Credentials that go over several lines of a text around messages: JSON of which each member has
/// a line of its own.
struct ContextCredentials {
  /// The line above, if it ends like one whose name says what stands on the next.
  private var above: [UInt8] = []
  /// How far a line is indented with whose end the object or list of a credential begins; nil where
  /// none is open.
  private var open: Int?

  /// Longer lines are not kept.
  private static let longest = 4096

  /// Whether a line belongs to a credential that has begun above it.
  mutating func hide(_ line: RawSpan) -> Bool {
    guard let open else { return false }
    if line.byteCount == 0 || line.behindSpace(0) > open { return true }
    self.open = nil
    return false
  }

  /// The credentials of a line, without blanks at its end, that the line above names.
  mutating func ranges(in line: RawSpan, _ names: CredentialNames) -> [Range<Int>] {
    var found: [Range<Int>] = []
    if !above.isEmpty {
      let start = above.count + 1
      let both = above + [.lineFeed] + line.copied()
      var finder = CredentialFinder(.text, names)
      while let value = finder.next(in: both.span.bytes)?.value {
        if value.start >= start { found.append(value.start - start..<value.end - start) }
      }
    }
    above = []
    if line.byteCount == 0 { return found }
    let last = line.byteCount - 1
    switch line.byte(at: last) {
    case .comma, .colon: if line.byteCount <= Self.longest { above = line.copied() }
    case .openBrace, .openBracket, UInt8(ascii: "("):
      var finder = CredentialFinder(.text, names)
      while let value = finder.next(in: line)?.value {
        if value.start == last { open = line.behindSpace(0) }
      }
    default: break
    }
    return found
  }
}
