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
  fileprivate struct Columns: BitwiseCopyable {
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
    let traits = message.traits
    let hasBinaries =
      !traits.contains(.isUnescaped) && BinaryValue.areWritten(by: message.dialect)
    json = JSONBlock(
      width: width, isJSON: traits.contains(.isJSON),
      isPlain: traits.contains([.isJSON, .isCompact, .isPlain]) && !hasBinaries,
      hasBinaries: hasBinaries)
  }

  /// What is known of the branches before the first line is written; room for it is kept from one
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

    /// The first of the siblings of the branch that comes next.
    fileprivate func group(_ branches: Span<Branch>) -> Int {
      let depth = branches[cells.count].depth
      // Steps over what is inside of the sibling before it.
      var before = cells.count - 1
      while before >= 0, branches[before].depth > depth { before = cells[before].group - 1 }
      return before >= 0 && branches[before].depth == depth ? cells[before].group : cells.count
    }

    fileprivate func piece(from start: Int) -> Piece {
      let part = text.bytes.dropping(start)
      return Piece(
        range: ByteRange(start, text.count),
        columns: part.isPlain ? part.byteCount : part.columns())
    }
  }

  func append(
    _ branches: Span<Branch>, _ bytes: RawSpan, subject: RawSpan, _ layout: inout Layout,
    to text: inout TextBuffer
  ) {
    layout.empty()
    for index in branches.indices {
      let branch = branches[index]
      let cell = Layout.Cell(
        group: layout.group(branches), name: namePiece(branch, bytes, &layout),
        value: shortValue(branch, bytes, &layout))
      var columns = Columns(name: min(cell.name.columns, width / 2))
      if let value = cell.value, max(value.flat, value.piece.columns) <= Self.widestValue {
        columns.value = value.piece.columns
      }
      layout.cells.append(cell)
      layout.cells[cell.group].columns.widen(columns)
    }
    for index in branches.indices {
      line(branches[index], layout.cells[index], layout, bytes, subject, &text)
    }
  }

  private func namePiece(
    _ branch: Branch, _ bytes: RawSpan, _ layout: inout Layout
  ) -> Layout.Piece {
    let start = layout.text.count
    name(branch, bytes, &layout.text)
    return layout.piece(from: start)
  }

  private func shortValue(
    _ branch: Branch, _ bytes: RawSpan, _ layout: inout Layout
  ) -> Layout.Value? {
    // Longer than any value that has a column.
    if branch.range.count > Self.widestValue * 4 { return nil }
    let start = layout.text.count
    guard let flat = value(branch, bytes, room: width, &layout.text) else { return nil }
    return Layout.Value(piece: layout.piece(from: start), flat: flat)
  }

  private func line(
    _ branch: Branch, _ cell: Layout.Cell, _ layout: borrowing Layout, _ bytes: RawSpan,
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
      isShown = value(branch, bytes, room: room, &text) != nil
      used = text.bytes.columns(from: behind)
    }
    text.append(spaces: used == 0 && columns.value == 0 ? 0 : max(columns.value - used, 0) + 2)
    meaning(branch, subject, &text)
    TextLayout.removeTrailingSpaces(&text)
    text.append("\n")
    if isShown { return }
    let indent = inset(branch) + 2
    if let value = cell.value, value.flat <= json.room(behind: indent) {
      text.append(spaces: indent)
      text.append(layout.text.bytes[value.piece.range])
      text.append("\n")
    } else {
      json.appendLines(bytes[branch.range], indent: indent, to: &text)
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

  /// On one line; answers what a list or an object must have room for, 0 of anything else, and nil
  /// where that is more than there is.
  private func value(
    _ branch: Branch, _ bytes: RawSpan, room: Int, _ text: inout TextBuffer
  ) -> Int? {
    let part = bytes[branch.range]
    switch branch.kind {
    case .heading:
      if branch.link > 0 { text.append(decimal: message.link(Int(branch.link) - 1).key) }
    case .text: text.append(escaping: part)
    // All of them are for the hex dump.
    case .octets: text.append(octets: part, most: 16)
    case .json: return json.appendFlat(part, limit: room, to: &text)
    }
    return 0
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
