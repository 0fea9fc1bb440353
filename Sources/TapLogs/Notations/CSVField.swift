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
    var (at, run) = (first, start)
    while let quote = line.firstIndex(of: .quote, from: at) {
      guard quote + 1 < line.byteCount, line.byte(at: quote + 1) == .quote else {
        text.append(line.extracting(run..<quote))
        (end, isCut) = (quote + 1, false)
        return
      }
      text.append(line.extracting(run..<quote + 1))
      (at, run) = (quote + 2, quote + 2)
    }
    text.append(line.dropping(run))
    (end, isCut) = (line.byteCount, true)
  }

  /// The quoted fields of a line, one after the other.
  struct Fields {
    private var at = 0

    /// What a field stands for, and where it stands with its first quote.
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
        var run = at
        while let quote = line.firstIndex(of: .quote, from: at) {
          let isDoubled = quote + 1 < line.byteCount && line.byte(at: quote + 1) == .quote
          text.append(line.extracting(run..<(isDoubled ? quote + 1 : quote)))
          at = quote + (isDoubled ? 2 : 1)
          run = at
          if !isDoubled { return (text, open..<quote) }
        }
        return nil
      }
      return nil
    }
  }
}
