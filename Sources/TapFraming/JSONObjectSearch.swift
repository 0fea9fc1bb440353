// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

/// Finds JSON texts without line ends in one direction of a stream whose beginning was not
/// captured: two objects that follow each other, from the beginning of a segment on, with nothing
/// or NUL or RS between them. In other protocols, a head stands before each JSON value, also where
/// the value has a segment of its own.
public struct JSONObjectSearch {
  private var found = 0
  private var scanner: JSONScanner

  public init(maximumDepth: Int) { scanner = JSONScanner(maximumDepth: maximumDepth) }

  /// Examines more bytes; true once they are known to be JSON texts.
  public mutating func append(_ bytes: RawSpan, _ delivery: Delivery) -> Bool {
    var at = delivery.edges.contains(.start) ? 0 : bytes.byteCount
    while at < bytes.byteCount, let end = object(bytes, at) {
      found += 1
      if found == 2 { return true }
      at = end
      while at < bytes.byteCount, [0, 0x1E].contains(bytes.byte(at: at)) { at += 1 }
      if at == bytes.byteCount { return false }
    }
    found = 0
    return false
  }

  /// What was not captured may have been a head.
  public mutating func miss() { found = 0 }

  /// The end of the object that begins there, if it has members and is complete.
  private mutating func object(_ bytes: RawSpan, _ start: Int) -> Int? {
    guard bytes.byte(at: start) == .openBrace else { return nil }
    var end = JSONTextEnd()
    guard case .bracket(let at) = end.find(in: bytes, from: start) else { return nil }
    let text = bytes.extracting(start..<at)
    guard scanner.scan(text) == text.byteCount, scanner.isStrict, !scanner.members.isEmpty
    else { return nil }
    return at
  }
}
