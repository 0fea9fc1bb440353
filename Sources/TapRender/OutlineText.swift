// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The branches of one message, a line each: place, name, value, meaning. Names, values and
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
  fileprivate struct Columns {
    var name = 0
    var value = 0

    mutating func widen(_ other: Columns) {
      (name, value) = (max(name, other.name), max(value, other.value))
    }
  }

  private let json: JSONBlock

  init(
    _ message: Message, _ joined: Joined, namings: ContiguousArray<NamedValue>, style: Style,
    width: Int
  ) {
    (self.message, self.joined, self.namings) = (message, joined, namings)
    (self.style, self.width) = (style, width)
    json = JSONBlock(
      width: width, isJSON: message.traits.contains(.isJSON),
      hasBinaries: BinaryValue.areWritten(by: message.dialect))
  }

  /// What is known of the branches before the first line is written; room for it is kept from one
  /// message to the next.
  struct Layout: ~Copyable {
    fileprivate struct Cell {
      /// The first of its siblings.
      var group: Int
      var name = Piece()
      /// Nil where it needs more room than a column has.
      var value: Piece?
      /// Columns of the whole value on one line, of a list or an object: more than the line has
      /// are as many as can be; nil where they were not counted.
      var flat: Int?
    }

    /// A part of `text`, and the columns that it takes.
    fileprivate struct Piece {
      var range = ByteRange()
      var columns = 0
    }

    fileprivate var cells: ContiguousArray<Cell> = []
    fileprivate var columns: ContiguousArray<Columns> = []
    /// The group that is open at each depth.
    fileprivate var open: ContiguousArray<Int> = []
    fileprivate var text = TextBuffer(capacity: 256)

    fileprivate mutating func empty() {
      cells.removeAll(keepingCapacity: true)
      columns.removeAll(keepingCapacity: true)
      open.removeAll(keepingCapacity: true)
      text.removeAll()
      text.shrink(above: 64 << 10)
    }

    /// The first of the siblings of a branch that comes next.
    fileprivate mutating func group(_ depth: Int) -> Int {
      if open.count > depth + 1 { open.removeLast(open.count - depth - 1) }
      while open.count <= depth { open.append(cells.count) }
      return open[depth]
    }

    fileprivate func piece(from start: Int) -> Piece {
      Piece(range: ByteRange(start, text.count), columns: text.bytes.columns(from: start))
    }
  }

  func append(
    _ branches: Span<Branch>, _ bytes: RawSpan, subject: RawSpan, _ layout: inout Layout,
    to text: inout TextBuffer
  ) {
    layout.empty()
    for index in branches.indices {
      let branch = branches[index]
      var cell = Layout.Cell(group: layout.group(Int(branch.depth)))
      let start = layout.text.count
      name(branch, bytes, &layout.text)
      cell.name = layout.piece(from: start)
      var columns = Columns(name: min(cell.name.columns, width / 2))
      let behind = layout.text.count
      if !isLong(branch) { cell.flat = flatColumns(branch, bytes) }
      if !isLong(branch)
        && value(branch, bytes, flat: cell.flat, room: Self.widestValue, &layout.text)
      {
        let piece = layout.piece(from: behind)
        cell.value = piece
        if piece.columns <= Self.widestValue { columns.value = piece.columns }
      }
      layout.cells.append(cell)
      layout.columns.append(Columns())
      layout.columns[cell.group].widen(columns)
    }
    for index in branches.indices {
      line(branches[index], index, layout, bytes, subject, &text)
    }
  }

  /// Longer than any value that has a column: not worth to be measured.
  private func isLong(_ branch: Branch) -> Bool { branch.range.count > Self.widestValue * 4 }

  private func line(
    _ branch: Branch, _ index: Int, _ layout: borrowing Layout, _ bytes: RawSpan,
    _ subject: RawSpan, _ text: inout TextBuffer
  ) {
    let cell = layout.cells[index]
    let columns = layout.columns[cell.group]
    text.append(layout.text.bytes[cell.name.range])
    let names = columns.name + 2
    let start = cell.name.columns
    text.append(spaces: max(names - start, 2))
    var isShown = true
    var used = 0
    var flat = cell.flat
    if let piece = cell.value {
      text.append(layout.text.bytes[piece.range])
      used = piece.columns
    } else {
      let room = max(width - max(names, start + 2), Self.widestValue)
      let behind = text.count
      flat = flat ?? flatColumns(branch, bytes)
      isShown = value(branch, bytes, flat: flat, room: room, &text)
      used = text.bytes.columns(from: behind)
    }
    text.append(spaces: used == 0 && columns.value == 0 ? 0 : max(columns.value - used, 0) + 2)
    meaning(branch, subject, &text)
    TextLayout.removeTrailingSpaces(&text)
    text.append("\n")
    if !isShown {
      json.appendLines(
        bytes[branch.range], indent: inset(branch) + 2, flatColumns: flat, to: &text)
    }
  }

  /// Where the name of a branch begins.
  private func inset(_ branch: Branch) -> Int {
    branch.depth == 0 ? Self.indent + (branch.index < 0 ? 0 : 4) : 6 + 2 * Int(branch.depth)
  }

  private func name(_ branch: Branch, _ bytes: RawSpan, _ text: inout TextBuffer) {
    if branch.index >= 0 {
      text.append(spaces: Self.indent)
      text.append("[")
      text.append(decimal: UInt64(branch.index))
      text.append("] ")
    } else {
      text.append(spaces: inset(branch))
    }
    if branch.title.utf8CodeUnitCount > 0 {
      text.append(branch.title)
    } else {
      text.append(escaping: bytes[branch.key])
    }
  }

  /// Of a list or an object; nil for anything else.
  private func flatColumns(_ branch: Branch, _ bytes: RawSpan) -> Int? {
    let part = bytes[branch.range]
    guard branch.kind == .json, part.byteCount > 0,
      part.byte(at: 0) == 0x5B || part.byte(at: 0) == 0x7B
    else { return nil }
    return JSONBlock.flatColumns(part, limit: width) ?? .max
  }

  /// Answers false when the value needs lines of its own.
  private func value(
    _ branch: Branch, _ bytes: RawSpan, flat: Int?, room: Int, _ text: inout TextBuffer
  ) -> Bool {
    let part = bytes[branch.range]
    switch branch.kind {
    case .heading:
      if branch.link > 0 { text.append(decimal: message.link(Int(branch.link) - 1).key) }
    case .text: text.append(escaping: part)
    // All of them are for the hex dump.
    case .octets: text.append(octets: part, most: 16)
    case .json:
      if let flat, flat > room { return false }
      json.appendFlat(part, to: &text)
    }
    return true
  }

  private func meaning(_ branch: Branch, _ subject: RawSpan, _ text: inout TextBuffer) {
    var isFirst = true
    func separate(_ text: inout TextBuffer) {
      if !isFirst { text.append(" · ") }
      isFirst = false
    }
    var isAnswer = false
    if branch.link > 0 {
      let link = message.link(Int(branch.link) - 1)
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
    if branch.meaning.utf8CodeUnitCount > 0 && !isAnswer {
      separate(&text)
      style.begin(.dim, &text)
      text.append(branch.meaning)
      style.end(&text)
    }
    for naming in namings
    where branch.kind == .json && naming.range.start >= branch.range.start
      && naming.range.end <= branch.range.end
    {
      separate(&text)
      NamingText.append(naming, style, &text)
    }
    if branch.isExtension {
      separate(&text)
      style.begin(.dim, &text)
      text.append("an extension")
      style.end(&text)
    }
    if branch.remark.utf8CodeUnitCount > 0 {
      separate(&text)
      style.begin(.warning, &text)
      text.append("! ")
      text.append(branch.remark)
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
