// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// A list in the text of an element or in an attribute of XML, whose quotes are entities (XML 1.0
/// §4.6).
struct XMLText {
  /// The list, and what else follows it there.
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
    guard var entity = near.firstIndex(of: UInt8(ascii: "&"), from: start) else { return nil }
    let stop = line.firstIndex(of: isElement ? 0x3C : 0x22, from: start) ?? line.byteCount
    let tag = line.firstIndex(of: UInt8(ascii: "<"), from: start) ?? line.byteCount
    end = min(stop, tag)
    guard entity < end else { return nil }
    let first = line.dropping(entity)
    if isElement {
      guard line.dropping(end).starts(with: "</"), start > 0,
        line.byte(at: start - 1) == UInt8(ascii: ">")
      else { return nil }
    } else {
      guard Self.quotes.contains(where: { first.starts(with: $0) }) else { return nil }
    }
    var run = start
    while entity < end {
      text.append(line.extracting(run..<entity))
      run = Self.replace(line.extracting(0..<end), entity, &text)
      entity = line.firstIndex(of: UInt8(ascii: "&"), from: run) ?? end
    }
    text.append(line.extracting(run..<end))
  }

  /// Appends what an entity stands for, or it itself; answers the offset behind it.
  private static func replace(_ line: RawSpan, _ start: Int, _ text: inout Scratch) -> Int {
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
