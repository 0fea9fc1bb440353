// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The columns of a ladder, with one arrow across them. Where no label stands in the arrow, most
/// rows look like an earlier one: each is made once and copied from then on.
struct LadderBars {
  /// Bytes that are kept; where terminals are very wide, what was made is forgotten and made again.
  private static let most = 1 << 16

  /// For each column, the rows at which its peer is connected.
  private let lives: [Range<Int>]
  /// Columns of the terminal between two of the ladder.
  private let gap: Int
  private let style: Style
  /// Places in `made` by arrow.
  private var places = IDTable<ByteRange>(minimumCapacity: 1)
  private var made = Scratch()
  /// The rows for which `made` is right: nobody connects or leaves between them.
  private var rows = 0..<0

  init(lives: [Range<Int>], gap: Int, style: Style) {
    (self.lives, self.gap, self.style) = (lives, gap, style)
  }

  /// A client's column is drawn while it is connected.
  func isAlive(_ place: Int, at row: Int) -> Bool { lives[place].contains(row) }

  /// Where an arrow meets a column.
  func append(_ place: Int, _ arrow: LadderArrow, at row: Int, to text: inout TextBuffer) {
    style.begin(.dim, &text)
    switch (arrow.crosses(place), isAlive(place, at: row)) {
    case (true, true): text.append("┼")
    case (true, false): arrow.append(dashes: 1, to: &text)
    case (false, true): text.append("│")
    case (false, false): text.append(" ")
    }
    style.end(&text)
  }

  /// All columns and the arrow, without a label.
  mutating func append(_ arrow: LadderArrow, at row: Int, to text: inout TextBuffer) {
    if !rows.contains(row) { forget(at: row) }
    if let known = places[arrow.key] { return text.append(made.bytes[known]) }
    let begin = text.count
    for place in lives.indices {
      append(place, arrow, at: row, to: &text)
      if place < lives.count - 1 { arrow.append(gap: place, gap, to: &text) }
    }
    if made.count + text.count - begin > Self.most { forget(at: row) }
    let start = made.count
    made.append(text.bytes.dropping(begin))
    places[arrow.key] = ByteRange(start, made.count)
  }

  private mutating func forget(at row: Int) {
    places.removeAll()
    made.removeAll()
    var (first, end) = (0, Int.max)
    for life in lives {
      for bound in [life.lowerBound, life.upperBound] {
        if bound <= row { first = max(first, bound) } else { end = min(end, bound) }
      }
    }
    rows = first..<end
  }
}
