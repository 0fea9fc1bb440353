// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The elements of one message by their names, as an object: what `-v` shows as lines.
struct NDJSONFields {
  let message: Message
  /// Levels of lists and objects in values.
  let nesting: Int

  /// Writes `{"request":7,…}`.
  func append(_ rows: Span<OutlineRow>, _ bytes: RawSpan, to text: inout TextBuffer) {
    append(object: 0..<rows.count, rows, bytes, &text)
  }

  /// Siblings of one depth, each with its place and the end of what is inside of it.
  private func siblings(
    _ range: Range<Int>, _ rows: Span<OutlineRow>
  ) -> [(at: Int, end: Int)] {
    guard let first = range.first else { return [] }
    let depth = rows[first].depth
    var found: [(at: Int, end: Int)] = []
    for at in range where rows[at].depth <= depth {
      if !found.isEmpty { found[found.count - 1].end = at }
      found.append((at, range.upperBound))
    }
    return found
  }

  private func append(
    object range: Range<Int>, _ rows: Span<OutlineRow>, _ bytes: RawSpan,
    _ text: inout TextBuffer
  ) {
    let all = siblings(range, rows).map { one in
      (name: name(rows[one.at], bytes), one.at, one.end)
    }.filter { !isKind(rows[$0.1]) }
    var places: [String: [Int]] = [:]
    for (place, one) in all.enumerated() { places[one.name, default: []].append(place) }
    text.append("{")
    var isFirst = true
    for (place, one) in all.enumerated() where places[one.name]![0] == place {
      if !isFirst { text.append(",") }
      isFirst = false
      text.append(jsonString: one.name)
      text.append(":")
      let same = places[one.name]!
      // What stands there several times is a list.
      if same.count > 1 { text.append("[") }
      for (number, place) in same.enumerated() {
        if number > 0 { text.append(",") }
        append(value: all[place].1, all[place].2, rows, bytes, &text)
      }
      if same.count > 1 { text.append("]") }
    }
    text.append("}")
  }

  /// The element that says of which kind the message is; that is its `name`.
  private func isKind(_ row: OutlineRow) -> Bool {
    row.depth == 0 && row.index == 0 && row.link == 0
      && row.title.description == message.name.description
  }

  private func append(
    value at: Int, _ end: Int, _ rows: Span<OutlineRow>, _ bytes: RawSpan,
    _ text: inout TextBuffer
  ) {
    let row = rows[at]
    let part = bytes[row.range]
    switch row.kind {
    case .json where message.traits.contains(.isJSON):
      if part.byteCount == 0 {
        text.append("null")
      } else {
        _ = SharedJSON.append(part, nesting: nesting, to: &text)
      }
    case .json, .text: text.append(jsonString: part)
    case .octets: Base64.appendObject(part, to: &text)
    case .heading:
      if row.link > 0 {
        text.append(decimal: message.link(Int(row.link) - 1).key)
      } else if end > at + 1 {
        append(inside: at, end, rows, bytes, &text)
      } else if row.meaning.utf8CodeUnitCount > 0 {
        text.append(jsonString: row.meaning.description)
      } else {
        text.append("null")
      }
    }
  }

  /// `subscriptions` is a list when each is called `subscription`; all else is an object.
  private func append(
    inside at: Int, _ end: Int, _ rows: Span<OutlineRow>, _ bytes: RawSpan,
    _ text: inout TextBuffer
  ) {
    let inner = siblings(at + 1..<end, rows)
    let name = name(rows[at], bytes)
    guard inner.allSatisfy({ self.name(rows[$0.at], bytes) + "s" == name }) else {
      return append(object: at + 1..<end, rows, bytes, &text)
    }
    text.append("[")
    for (number, one) in inner.enumerated() {
      if number > 0 { text.append(",") }
      append(value: one.at, one.end, rows, bytes, &text)
    }
    text.append("]")
  }

  /// The name of the specification in camelCase; a key of the message is as it was sent.
  private func name(_ row: OutlineRow, _ bytes: RawSpan) -> String {
    let title = row.title.description
    switch title {
    case "": return String(decoding: key(bytes[row.key]), as: Unicode.UTF8.self)
    case "Arguments": return "args"
    case "ArgumentsKw": return "kwargs"
    // Lists end where `Limits` end them.
    case "…": return "more"
    default: break
    }
    var name = ""
    for part in title.split(whereSeparator: { $0 == " " || $0 == "." || $0 == "|" }) {
      let word = part.allSatisfy { !$0.isLowercase } ? part.lowercased() : String(part)
      let (head, tail) = (word.prefix(1), word.dropFirst())
      name += (name.isEmpty ? head.lowercased() : head.uppercased()) + tail
    }
    return name
  }

  private func key(_ key: RawSpan) -> [UInt8] {
    guard message.traits.contains(.isJSON), key.firstIndex(of: .backslash) != nil else {
      return key.copied()
    }
    return JSON.unescaped(key)
  }
}
