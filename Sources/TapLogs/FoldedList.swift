// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Lines that a terminal, or a program such as fold, has broken at its last column, in the middle
/// of words and numbers, too.
enum FoldedList {
  /// Columns of the narrowest window.
  static let narrowest = 40

  /// Columns of windows as they are made: lines of others may have been broken by what was sent.
  private static let usual: Set<Int> = [80, 100, 120, 132, 160]

  /// The text of lines as it was before, and their columns; nil where they were not broken so.
  ///
  /// - Parameter known: columns of others in this log.
  static func joined(_ lines: LogGathering, known: Int?) -> (text: Scratch, width: Int)? {
    guard let first = lines.breaks.first, lines.above == 0 else { return nil }
    let text = lines.text.bytes
    var joined = Scratch()
    joined.append(Self.text(text, 0..<first - 1))
    let (octets, characters) = (joined.count, characters(joined.bytes))
    if characters < narrowest { return nil }
    // Some count bytes.
    var (isInOctets, isInCharacters) = (true, true)
    for (index, start) in lines.breaks.enumerated() {
      let isLast = index + 1 == lines.breaks.count
      let line = Self.text(text, start..<(isLast ? text.byteCount : lines.breaks[index + 1] - 1))
      let (count, width) = (
        line.byteCount + lines.removed[index], Self.characters(line) + lines.removed[index]
      )
      isInOctets = isInOctets && (isLast ? count <= octets : count == octets)
      isInCharacters = isInCharacters && (isLast ? width <= characters : width == characters)
      guard isInOctets || isInCharacters else { return nil }
      joined.append(line)
    }
    for (width, isOne) in [(characters, isInCharacters), (octets, isInOctets)] where isOne {
      // One may have been broken anywhere.
      if lines.breaks.count > 1 || width == known || usual.contains(width) {
        return (joined, width)
      }
    }
    return nil
  }

  /// A line without its end.
  @_lifetime(copy text)
  static func text(_ text: RawSpan, _ line: Range<Int>) -> RawSpan {
    var end = line.upperBound
    while end > line.lowerBound, text.byte(at: end - 1) == 0x0A || text.byte(at: end - 1) == 0x0D {
      end -= 1
    }
    return text.extracting(line.lowerBound..<end)
  }

  /// Characters of a text: bytes that begin one.
  static func characters(_ text: RawSpan) -> Int {
    (0..<text.byteCount).count { text.byte(at: $0) & 0xC0 != 0x80 }
  }
}
