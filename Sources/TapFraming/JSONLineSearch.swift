// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// Finds JSON texts in one direction of a stream whose beginning was not captured: a whole line
/// that is an object, if the line before it may have been one, too. In other protocols, the line
/// before a JSON value is a length or a head, such as `$42` in Redis.
public struct JSONLineSearch {
  private var octets = Scratch()
  /// Start of the current line; nil before the first line end.
  private var start: Int?
  private var scanned = 0
  /// Consecutive lines that are objects.
  private var objects = 0
  /// Some line was not an object.
  private var hasOthers = false
  private var scanner: JSONScanner

  /// How many consecutive objects are needed if there were other lines, too.
  private static let enough = 3

  public init(maximumDepth: Int) { scanner = JSONScanner(maximumDepth: maximumDepth) }

  /// Examines more bytes; true once lines are known to be JSON texts.
  public mutating func append(_ bytes: RawSpan) -> Bool {
    octets.append(bytes)
    while let end = octets.bytes.firstIndex(of: .lineFeed, from: scanned) {
      let line = octets.bytes.extracting((start ?? 0)..<end).copied()
      let isWhole = start != nil
      (start, scanned) = (end + 1, end + 1)
      guard let last = line.last(where: { $0 > 0x20 }) else { continue }
      if !isWhole {
        hasOthers = last != UInt8(ascii: "}") && last != UInt8(ascii: "]")
      } else if Self.isObject(line.span.bytes, &scanner) {
        objects += 1
        if objects >= (hasOthers ? Self.enough : 1) { return true }
      } else {
        (objects, hasOthers) = (0, true)
      }
    }
    scanned = octets.count
    return false
  }

  private static func isObject(_ line: RawSpan, _ scanner: inout JSONScanner) -> Bool {
    guard line.byteCount > 2, line.byte(at: 0) == UInt8(ascii: "{") else { return false }
    return scanner.scan(line) == line.byteCount && scanner.isStrict && !scanner.isArray
  }
}
