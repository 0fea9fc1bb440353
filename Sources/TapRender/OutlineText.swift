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
  private struct Columns {
    var name = 0
    var value = 0
  }

  private var json: JSONBlock {
    JSONBlock(
      width: width, isJSON: message.traits.contains(.isJSON),
      hasBinaries: BinaryValue.areWritten(by: message.dialect))
  }

  func append(
    _ branches: Span<Branch>, _ bytes: RawSpan, subject: RawSpan, to text: inout TextBuffer
  ) {
    let groups = groups(branches)
    var columns = [Columns](repeating: Columns(), count: branches.count)
    var scratch = TextBuffer(capacity: 256)
    for index in branches.indices {
      let branch = branches[index]
      scratch.removeAll()
      name(branch, bytes, &scratch)
      let group = groups[index]
      columns[group].name = max(columns[group].name, min(scratch.columns(from: 0), width / 2))
      scratch.removeAll()
      if !isLong(branch) && value(branch, bytes, room: Self.widestValue, &scratch) {
        let used = scratch.columns(from: 0)
        if used <= Self.widestValue { columns[group].value = max(columns[group].value, used) }
      }
    }
    for index in branches.indices {
      line(branches[index], columns[groups[index]], bytes, subject, &text)
    }
  }

  /// Of each branch, the first of its siblings.
  private func groups(_ branches: Span<Branch>) -> [Int] {
    var groups: [Int] = []
    // The group that is open at each depth.
    var open: [Int] = []
    for index in branches.indices {
      let depth = Int(branches[index].depth)
      if open.count > depth + 1 { open.removeLast(open.count - depth - 1) }
      while open.count <= depth { open.append(index) }
      groups.append(open[depth])
    }
    return groups
  }

  /// Longer than any value that has a column: not worth to be measured.
  private func isLong(_ branch: Branch) -> Bool { branch.range.count > Self.widestValue * 4 }

  private func line(
    _ branch: Branch, _ columns: Columns, _ bytes: RawSpan, _ subject: RawSpan,
    _ text: inout TextBuffer
  ) {
    let begin = text.count
    name(branch, bytes, &text)
    let names = columns.name + 2
    let start = text.columns(from: begin)
    text.append(spaces: max(names - start, 2))
    let room = max(width - max(names, start + 2), Self.widestValue)
    let behind = text.count
    let isShown = value(branch, bytes, room: room, &text)
    let used = text.columns(from: behind)
    text.append(spaces: used == 0 && columns.value == 0 ? 0 : max(columns.value - used, 0) + 2)
    meaning(branch, subject, &text)
    text.removeTrailingSpaces()
    text.append("\n")
    if !isShown {
      json.appendLines(bytes[branch.range], indent: inset(branch) + 2, to: &text)
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

  /// Answers false when the value needs lines of its own.
  private func value(
    _ branch: Branch, _ bytes: RawSpan, room: Int, _ text: inout TextBuffer
  ) -> Bool {
    let part = bytes[branch.range]
    switch branch.kind {
    case .heading:
      if branch.link > 0 { text.append(decimal: message.link(Int(branch.link) - 1).key) }
    case .text: text.append(escaping: part)
    case .octets: append(octets: part, &text)
    case .json:
      let first = part.byteCount > 0 ? part.byte(at: 0) : 0
      let isContainer = first == 0x5B || first == 0x7B
      if isContainer && JSONBlock.flatColumns(part, limit: room) == nil { return false }
      json.appendFlat(part, to: &text)
    }
    return true
  }

  /// The beginning of bytes; all of them are for the hex dump.
  private func append(octets: RawSpan, _ text: inout TextBuffer) {
    text.append(grouped: UInt64(octets.byteCount))
    text.append(octets.byteCount == 1 ? " byte: " : " bytes: ")
    for at in 0..<min(octets.byteCount, 16) { text.append(hex: octets.byte(at: at)) }
    if octets.byteCount > 16 { text.append("…") }
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
