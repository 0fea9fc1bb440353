// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Fits what a row says into the room that its arrow has.
enum LadderText {
  /// A part is not cut to fewer columns than this: it would say nothing.
  private static let leastPart = 8
  /// So many columns of the reason of a failure are shown before anything else.
  private static let leastReason = 20

  /// The head, then what fits behind it; answers its columns.
  @discardableResult
  static func append(
    _ row: LadderRow, of page: LadderPage, room: Int, _ style: Style = Style(isColored: false),
    to text: inout TextBuffer
  ) -> Int {
    let store = page.store.bytes
    let head = usesBrief(row, page, room) ? row.brief : row.head
    style.begin(row.isFailure ? .failure : .name, &text)
    var left = room - append(head.range, head.columns, store, room: room, to: &text)
    style.end(&text)
    var isFirst = true
    for place in row.parts.start..<row.parts.end {
      let part = page.parts[place]
      let separator = isFirst ? 1 : 3
      let wanted = part.columns
      let fits = wanted <= left - separator
      if !fits && part.isWhole { continue }
      if !fits && left - separator < leastPart { break }
      text.append(isFirst ? " " : " · ")
      isFirst = false
      left -= separator
      if fits {
        text.append(store[part.range])
        left -= wanted
        continue
      }
      if part.isURI && wanted == part.range.count {
        let ending = ending(of: part.range, store, left - 1)
        text.append("…")
        text.append(store[ending])
        left -= 1 + ending.count
      } else {
        left -= append(part.range, wanted, store, room: left, to: &text)
      }
      break
    }
    return room - left
  }

  /// As much of a text as there is room for; answers its columns.
  private static func append(
    _ range: ByteRange, _ columns: Int, _ store: RawSpan, room: Int, to text: inout TextBuffer
  ) -> Int {
    let begin = text.count
    text.append(store[range])
    if columns <= room { return columns }
    TextLayout.elide(&text, from: begin, to: room)
    return text.bytes.columns(from: begin)
  }

  /// Columns of all that a row says.
  static func columns(_ row: LadderRow, of page: LadderPage) -> Int {
    var columns = row.head.columns
    for place in row.parts.start..<row.parts.end {
      columns += (place == row.parts.start ? 1 : 3) + page.parts[place].columns
    }
    return columns
  }

  private static func usesBrief(_ row: LadderRow, _ page: LadderPage, _ room: Int) -> Bool {
    // The reason of a failure needs the room more than words that its request has, too.
    let reason = row.isFailure ? firstPart(row, page).map { $0.columns + 1 } ?? 0 : 0
    return row.head.columns + reason > room
  }

  private static func firstPart(_ row: LadderRow, _ page: LadderPage) -> LadderRow.Part? {
    row.parts.isEmpty ? nil : page.parts[row.parts.start]
  }

  /// The last components of a URI, or the end of the last one when not even that has room.
  private static func ending(of uri: ByteRange, _ store: RawSpan, _ room: Int) -> ByteRange {
    let tail = ByteRange(max(uri.start, uri.end - room), uri.end)
    guard let dot = store[tail].firstIndex(of: UInt8(ascii: ".")), dot + 1 < tail.count else {
      return tail
    }
    return ByteRange(tail.start + dot + 1, tail.end)
  }

  /// Columns that the shortest form of a row needs.
  static func leastColumns(_ row: LadderRow, of page: LadderPage) -> Int {
    var least = row.brief.columns
    if row.isFailure, let reason = firstPart(row, page) {
      least += 1 + min(reason.columns, leastReason)
    }
    return least
  }

  static func append(latencyOf row: LadderRow, _ style: Style, to text: inout TextBuffer) {
    style.begin(.dim, &text)
    Latency.append(row.latency, row.latencyPrecision, to: &text)
    style.end(&text)
  }
}
