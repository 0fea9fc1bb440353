// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// Finds JSON texts in one direction of a stream whose beginning was not captured: a whole line
/// that is an object.
public struct JSONLineSearch {
  private var octets = Scratch()
  /// Where the line begins that has no end yet; nil before the first line end.
  private var start: Int?
  private var scanned = 0
  private var scanner: JSONScanner

  public init(maximumDepth: Int) { scanner = JSONScanner(maximumDepth: maximumDepth) }

  /// Whether a line was found with these bytes.
  public mutating func append(_ bytes: RawSpan) -> Bool {
    octets.append(bytes)
    while let end = octets.bytes.firstIndex(of: 0x0A, from: scanned) {
      defer { (start, scanned) = (end + 1, end + 1) }
      guard let start else { continue }
      let line = octets.bytes.extracting(start..<end).copied()
      if Self.isObject(line.span.bytes, &scanner) { return true }
    }
    scanned = octets.count
    return false
  }

  private static func isObject(_ line: RawSpan, _ scanner: inout JSONScanner) -> Bool {
    guard line.byteCount > 2, line.byte(at: 0) == UInt8(ascii: "{") else { return false }
    return scanner.scan(line) == line.byteCount && scanner.isStrict && !scanner.isArray
  }
}
