// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// A list in a quoted field of CSV, where each quote is doubled (RFC 4180 §2).
struct CSVField {
  /// The list, and what else follows it in the field.
  private(set) var text = Scratch()
  /// Behind the field.
  let end: Int
  /// The line ends before the field does.
  let isCut: Bool

  /// Bytes that are searched for the first quote: else a line of many lists would be searched to
  /// its end from each.
  private static let furthest = 1024

  /// - Parameter start: of the list; nil when its first quote is not doubled.
  init?(_ line: RawSpan, _ start: Int) {
    let near = line.extracting(0..<min(line.byteCount, start + Self.furthest))
    guard let first = near.firstIndex(of: .quote, from: start), first + 1 < line.byteCount,
      line.byte(at: first + 1) == .quote
    else { return nil }
    let close = Self.read(line, start, into: &text)
    (end, isCut) = (close.map { $0 + 1 } ?? line.byteCount, close == nil)
  }

  /// Appends what follows in a field; answers where its closing quote stands, nil for nowhere.
  private static func read(_ line: RawSpan, _ start: Int, into text: inout Scratch) -> Int? {
    var at = start
    while let quote = line.firstIndex(of: .quote, from: at) {
      let isDoubled = quote + 1 < line.byteCount && line.byte(at: quote + 1) == .quote
      text.append(line.extracting(at..<(isDoubled ? quote + 1 : quote)))
      if !isDoubled { return quote }
      at = quote + 2
    }
    text.append(line.dropping(at))
    return nil
  }

  /// The quoted fields of a line, one after the other.
  struct Fields {
    private var at = 0

    /// The text of a field, and its place, from its first quote on.
    mutating func next(_ line: RawSpan) -> (text: Scratch, range: Range<Int>)? {
      while let open = line.firstIndex(of: .quote, from: at) {
        at = open + 1
        // Behind a comma, or what stands for one.
        guard
          open == 0
            || [.comma, UInt8(ascii: ";"), .tab, UInt8(ascii: "|")].contains(
              line.byte(at: open - 1))
        else {
          continue
        }
        var text = Scratch()
        guard let close = read(line, at, into: &text) else { return nil }
        at = close + 1
        return (text, open..<close)
      }
      return nil
    }
  }
}
