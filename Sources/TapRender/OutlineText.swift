// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The rows of one message, a line each: place, name, value, meaning. Names, values and
/// meanings of siblings stand in columns.
struct OutlineText {
  let message: Message
  let joined: Joined
  let namings: ContiguousArray<NamedValue>
  let style: Style
  /// Columns of a line: of the terminal, or what reads well.
  let width: Int

  static let indent = 4
  /// A value that takes more columns pushes its own meaning to the right, not that of its siblings.
  private static let widestValue = 32

  /// What the names and values of siblings take at most.
  fileprivate struct Columns: BitwiseCopyable {
    var name = 0
    var value = 0

    mutating func widen(_ other: Columns) {
      (name, value) = (max(name, other.name), max(value, other.value))
    }
  }

  private let json: JSONBlock

  init(
    _ message: Message, _ view: MessageView, namings: ContiguousArray<NamedValue>, style: Style,
    width: Int
  ) {
    (self.message, joined, self.namings) = (message, view.joined, namings)
    (self.style, self.width) = (style, width)
    let traits = message.traits
    let hasBinaries =
      !traits.contains(.isUnescaped) && BinaryValue.areWritten(by: message.dialect)
    json = JSONBlock(
      width: width, isJSON: traits.contains(.isJSON),
      isPlain: traits.contains([.isJSON, .isCompact, .isPlain]) && !hasBinaries,
      hasBinaries: hasBinaries)
  }

  /// What is known of the rows before the first line is written; room for it is kept from one
  /// message to the next.
  struct Layout: ~Copyable {
    fileprivate struct Cell: BitwiseCopyable {
      /// The first of its siblings.
      let group: Int
      let name: Piece
      /// Nil where it needs several lines, or is long.
      let value: Value?
      /// Of the first of its siblings: what they take.
      var columns = Columns()
    }

    /// A part of `text`, and the columns that it takes.
    fileprivate struct Piece: BitwiseCopyable {
      let range: ByteRange
      let columns: Int
    }

    /// A value on one line.
    fileprivate struct Value: BitwiseCopyable {
      let piece: Piece
      /// What a list or an object must have room for; 0 of what is never opened up.
      let flat: Int
    }

    fileprivate var cells = WorkingList<Cell>()
    fileprivate var text = TextBuffer(capacity: 256)

    fileprivate mutating func empty() {
      cells.removeAll()
      text.removeAll()
      text.shrink(above: 64 << 10)
    }

    /// The first of the siblings of the row that comes next.
    fileprivate func group(_ rows: Span<OutlineRow>) -> Int {
      let depth = rows[cells.count].depth
      // Steps over what is inside of the sibling before it.
      var before = cells.count - 1
      while before >= 0, rows[before].depth > depth { before = cells[before].group - 1 }
      return before >= 0 && rows[before].depth == depth ? cells[before].group : cells.count
    }

    fileprivate func piece(from start: Int) -> Piece {
      let part = text.bytes.dropping(start)
      return Piece(
        range: ByteRange(start, text.count),
        columns: part.isPlain ? part.byteCount : part.columns())
    }
  }

  func append(
    _ rows: Span<OutlineRow>, _ bytes: RawSpan, subject: RawSpan, _ layout: inout Layout,
    to text: inout TextBuffer
  ) {
    layout.empty()
    for index in rows.indices {
      let row = rows[index]
      let cell = Layout.Cell(
        group: layout.group(rows), name: namePiece(row, bytes, &layout),
        value: shortValue(row, bytes, &layout))
      var columns = Columns(name: min(cell.name.columns, width / 2))
      if let value = cell.value, max(value.flat, value.piece.columns) <= Self.widestValue {
        columns.value = value.piece.columns
      }
      layout.cells.append(cell)
      layout.cells[cell.group].columns.widen(columns)
    }
    for index in rows.indices {
      line(rows[index], layout.cells[index], layout, bytes, subject, &text)
    }
  }

  private func namePiece(
    _ row: OutlineRow, _ bytes: RawSpan, _ layout: inout Layout
  ) -> Layout.Piece {
    let start = layout.text.count
    name(row, bytes, &layout.text)
    return layout.piece(from: start)
  }

  private func shortValue(
    _ row: OutlineRow, _ bytes: RawSpan, _ layout: inout Layout
  ) -> Layout.Value? {
    // Longer than any value that has a column.
    if row.range.count > Self.widestValue * 4 { return nil }
    let start = layout.text.count
    guard let flat = value(row, bytes, room: width, &layout.text) else { return nil }
    return Layout.Value(piece: layout.piece(from: start), flat: flat)
  }

  private func line(
    _ row: OutlineRow, _ cell: Layout.Cell, _ layout: borrowing Layout, _ bytes: RawSpan,
    _ subject: RawSpan, _ text: inout TextBuffer
  ) {
    let columns = layout.cells[cell.group].columns
    text.append(layout.text.bytes[cell.name.range])
    let names = columns.name + 2
    let start = cell.name.columns
    text.append(spaces: max(names - start, 2))
    let room = max(width - max(names, start + 2), Self.widestValue)
    var isShown = true
    var used = 0
    if let value = cell.value {
      isShown = value.flat <= room
      if isShown {
        text.append(layout.text.bytes[value.piece.range])
        used = value.piece.columns
      }
    } else {
      let behind = text.count
      isShown = value(row, bytes, room: room, &text) != nil
      used = text.bytes.columns(from: behind)
    }
    text.append(spaces: used == 0 && columns.value == 0 ? 0 : max(columns.value - used, 0) + 2)
    meaning(row, subject, &text)
    TextLayout.removeTrailingSpaces(&text)
    text.append("\n")
    if isShown { return }
    let indent = inset(row) + 2
    if let value = cell.value, value.flat <= json.room(behind: indent) {
      text.append(spaces: indent)
      text.append(layout.text.bytes[value.piece.range])
      text.append("\n")
    } else {
      json.appendLines(bytes[row.range], indent: indent, to: &text)
    }
  }

  /// Where the name of a row begins.
  private func inset(_ row: OutlineRow) -> Int {
    row.depth == 0 ? Self.indent + (row.index < 0 ? 0 : 4) : 6 + 2 * Int(row.depth)
  }

  private func name(_ row: OutlineRow, _ bytes: RawSpan, _ text: inout TextBuffer) {
    if row.index >= 0 {
      text.append(spaces: Self.indent)
      text.append("[")
      text.append(decimal: UInt64(row.index))
      text.append("] ")
    } else {
      text.append(spaces: inset(row))
    }
    if row.title.utf8CodeUnitCount > 0 {
      text.append(row.title)
    } else {
      text.append(escaping: bytes[row.key])
    }
  }

  /// On one line; answers what a list or an object must have room for, 0 of anything else, and nil
  /// where that is more than there is.
  private func value(
    _ row: OutlineRow, _ bytes: RawSpan, room: Int, _ text: inout TextBuffer
  ) -> Int? {
    let part = bytes[row.range]
    switch row.kind {
    case .heading:
      if row.link > 0 { text.append(decimal: message.link(Int(row.link) - 1).key) }
    case .text: text.append(escaping: part)
    // All of them are for the hex dump.
    case .octets: text.append(octets: part, most: 16)
    case .json: return json.appendFlat(part, limit: room, to: &text)
    }
    return 0
  }

  private func meaning(_ row: OutlineRow, _ subject: RawSpan, _ text: inout TextBuffer) {
    var isFirst = true
    func separate(_ text: inout TextBuffer) {
      if !isFirst { text.append(" · ") }
      isFirst = false
    }
    var isAnswer = false
    if row.link > 0 {
      let link = message.link(Int(row.link) - 1)
      switch link.role {
      case .answers, .continues:
        if joined.answers == 0 { break }
        separate(&text)
        appendAnswer(&text)
        isAnswer = true
      case .refers, .names, .concerns:
        if subject.byteCount == 0 { break }
        separate(&text)
        style.begin(.subject, &text)
        text.append(escaping: subject)
        style.end(&text)
      case .shares where joined.carries > 0:
        separate(&text)
        text.append("published by message ")
        text.append(decimal: joined.carries)
      default: break
      }
    }
    if row.meaning.utf8CodeUnitCount > 0 && !isAnswer {
      separate(&text)
      style.begin(.dim, &text)
      text.append(row.meaning)
      style.end(&text)
    }
    for naming in namings
    where row.kind == .json && naming.range.start >= row.range.start
      && naming.range.end <= row.range.end
    {
      separate(&text)
      NamingText.append(naming, style, &text)
    }
    if row.isExtension {
      separate(&text)
      style.begin(.dim, &text)
      text.append("an extension")
      style.end(&text)
    }
    if row.remark.utf8CodeUnitCount > 0 {
      separate(&text)
      style.begin(.warning, &text)
      text.append("! ")
      text.append(row.remark)
      style.end(&text)
    }
  }

  /// `answers message 4 after 3.12 ms`
  func appendAnswer(_ text: inout TextBuffer) {
    text.append("answers message ")
    text.append(decimal: joined.answers)
    if joined.latency >= 0 {
      text.append(" after ")
      Latency.append(
        joined.latency, min(message.origin.precision, joined.precision), to: &text)
    }
  }
}
