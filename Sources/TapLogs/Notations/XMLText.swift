// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// A list or an object in the text of an element or in an attribute of XML, whose quotes are
/// entities (XML 1.0 §4.6).
struct XMLText {
  /// The object; or the list, and what else follows it there.
  private(set) var text = Scratch()
  /// Behind it.
  let end: Int

  /// The names that XML knows by itself, and characters by their numbers.
  private static let names: [(name: StaticString, octet: UInt8)] = [
    ("quot", 0x22), ("amp", 0x26), ("lt", 0x3C), ("gt", 0x3E), ("apos", 0x27),
  ]
  private static let quotes: [StaticString] = ["&quot;", "&#34;", "&#x22;"]

  /// Bytes that are searched for the first entity: else a line of many lists would be searched to
  /// its end from each.
  private static let furthest = 1024

  /// - Parameters:
  ///   - start: of the list; nil when there is nothing in it to be replaced.
  ///   - isElement: whether it is the text of an element, which only the end of the element shows;
  ///     that of an attribute shows by its quotes.
  init?(_ line: RawSpan, _ start: Int, isElement: Bool) {
    let near = line.extracting(0..<min(line.byteCount, start + Self.furthest))
    guard let entity = near.firstIndex(of: UInt8(ascii: "&"), from: start) else { return nil }
    let stop = line.firstIndex(of: isElement ? 0x3C : 0x22, from: start) ?? line.byteCount
    let tag = line.firstIndex(of: UInt8(ascii: "<"), from: start) ?? line.byteCount
    end = min(stop, tag)
    guard entity < end else { return nil }
    if isElement {
      guard Self.isElement(line, start, end) else { return nil }
    } else {
      guard Self.isQuote(line, entity) else { return nil }
    }
    _ = Self.undo(line.extracting(0..<end), start, entity, into: &text, most: .max)
  }

  /// A line of a page of HTML, with its entities replaced; nil where its quotes show that it is
  /// none, and where no entity stands for a quote of JSON: payloads may be of HTML, too.
  static func undone(_ line: RawSpan) -> Scratch? {
    guard line.firstIndex(of: .quote) == nil, let first = line.firstIndex(of: UInt8(ascii: "&")),
      line.firstIndex(of: .lineFeed) == nil, beginsJSON(line, from: first)
    else { return nil }
    var text = Scratch()
    _ = undo(line, 0, first, into: &text, most: .max)
    return text
  }

  /// Whether an entity is the first quote of an object or of a list.
  private static func beginsJSON(_ line: RawSpan, from first: Int) -> Bool {
    var at: Int? = first
    while let entity = at {
      if entity > 0,
        line.byte(at: entity - 1) == .openBrace
          || line.byte(at: entity - 1) == .openBracket,
        quotes.contains(where: { line.dropping(entity).starts(with: $0) })
      {
        return true
      }
      at = line.firstIndex(of: UInt8(ascii: "&"), from: entity + 1)
    }
    return false
  }

  /// Whether an element that began before an offset ends at another; words may stand before the
  /// list: `<message>Received: [1,&quot;realm1&quot;]</message>`.
  private static func isElement(_ line: RawSpan, _ start: Int, _ end: Int) -> Bool {
    var close = start - 1
    while close > 0, line.byte(at: close) != UInt8(ascii: ">") {
      if line.byte(at: close) == UInt8(ascii: "<") { return false }
      close -= 1
    }
    var open = close
    while open > 0, line.byte(at: open) != UInt8(ascii: "<") { open -= 1 }
    let name = line.behind(open + 1, to: close) { !$0.isJSONSpace }
    guard open + 1 < name, line.byte(at: open) == UInt8(ascii: "<"),
      line.dropping(end).starts(with: "</")
    else { return false }
    let rest = line.dropping(end + 2)
    let count = name - open - 1
    return rest.byteCount > count && rest.byte(at: count) == UInt8(ascii: ">")
      && rest.extracting(0..<count).equals(line.extracting(open + 1..<name))
  }

  /// An object whose first member shows that its quotes are entities; nil where it does not end.
  ///
  /// - Parameter start: of the object.
  init?(_ line: RawSpan, object start: Int) {
    let first = line.behindSpace(start + 1)
    guard first < line.byteCount, Self.isQuote(line, first) else { return nil }
    guard let end = Self.object(line, start, first, into: &text) else { return nil }
    self.end = end
  }

  /// Appends an object with its entities replaced; answers where it ends on the line.
  ///
  /// - Parameter first: where the first entity is.
  private static func object(
    _ line: RawSpan, _ start: Int, _ first: Int, into text: inout Scratch
  ) -> Int? {
    var (object, run, entity) = (ListEnd(of: 0), start, first)
    while true {
      // Up to the next entity, as far as the text or the attribute goes.
      let whole = line.extracting(0..<entity)
      let tag = whole.firstIndex(of: UInt8(ascii: "<"), from: run) ?? entity
      let stop = min(tag, whole.firstIndex(of: .quote, from: run) ?? entity)
      text.append(line.extracting(run..<stop))
      object.advance(text.bytes)
      if object.state == .closed {
        let behind = text.count - object.at
        text.truncate(object.at)
        return stop - behind
      }
      if stop < entity || entity == line.byteCount { return nil }
      run = replace(line, entity, &text)
      entity = line.firstIndex(of: UInt8(ascii: "&"), from: run) ?? line.byteCount
    }
  }

  private static func isQuote(_ line: RawSpan, _ entity: Int) -> Bool {
    let rest = line.dropping(entity)
    return quotes.contains { rest.starts(with: $0) }
  }

  /// Appends a text with its entities replaced.
  ///
  /// - Parameters:
  ///   - first: where the first entity is.
  ///   - most: bytes that the replaced text has, at most.
  /// - Returns: where the text ends that these were made of.
  private static func undo(
    _ line: RawSpan, _ start: Int, _ first: Int, into text: inout Scratch, most: Int
  ) -> Int {
    var (run, entity) = (start, first)
    while entity < line.byteCount, entity - run < most - text.count {
      text.append(line.extracting(run..<entity))
      run = replace(line, entity, &text)
      entity = line.firstIndex(of: UInt8(ascii: "&"), from: run) ?? line.byteCount
    }
    let end = run + min(line.byteCount - run, most - text.count)
    text.append(line.extracting(run..<end))
    return end
  }

  /// Appends what an entity stands for, or it itself; answers the offset behind it.
  static func replace(_ line: RawSpan, _ start: Int, _ text: inout Scratch) -> Int {
    let near = line.extracting(start..<min(line.byteCount, start + 12))
    guard let semicolon = near.firstIndex(of: UInt8(ascii: ";")) else {
      text.append(UInt8(ascii: "&"))
      return start + 1
    }
    let name = near.extracting(1..<semicolon)
    let end = start + semicolon + 1
    for entry in names where name.equals(entry.name) {
      text.append(entry.octet)
      return end
    }
    let digits = String(decoding: name.copied(), as: Unicode.UTF8.self)
    let value =
      digits.hasPrefix("#x")
      ? UInt32(digits.dropFirst(2), radix: 16)
      : digits.hasPrefix("#") ? UInt32(digits.dropFirst()) : nil
    guard let value, let scalar = Unicode.Scalar(value) else {
      text.append(line.extracting(start..<end))
      return end
    }
    for octet in String(Character(scalar)).utf8 { text.append(octet) }
    return end
  }
}
