// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Fits what a row says into the room that its arrow has.
enum LadderText {
  /// Of a part that is cut, less than this says nothing.
  private static let leastPart = 8
  /// Of the reason of a failure as much is wanted before anything else.
  private static let leastReason = 20

  /// The head, then what fits behind it.
  static func append(
    _ row: LadderRow, _ store: RawSpan, room: Int, _ style: Style = Style(isColored: false),
    to text: inout TextBuffer
  ) {
    let begin = text.count
    var left = room
    style.begin(row.isFailure ? .failure : .name, &text)
    text.append(store[usesBrief(row, store, room) ? row.brief : row.head])
    if room < .max { text.elide(from: begin, to: room) }
    left -= text.columns(from: begin)
    style.end(&text)
    var isFirst = true
    for part in row.parts {
      let separator = isFirst ? 1 : 3
      let wanted = columns(store[part.range])
      let fits = wanted <= left - separator
      if !fits && part.isWhole { continue }
      if !fits && left - separator < leastPart { return }
      text.append(isFirst ? " " : " · ")
      isFirst = false
      left -= separator
      if fits {
        text.append(store[part.range])
        left -= wanted
        continue
      }
      let begin = text.count
      if part.isURI && wanted == part.range.count {
        text.append("…")
        text.append(ending(of: part.range, store, left - 1).span.bytes)
      } else {
        text.append(store[part.range])
        text.elide(from: begin, to: left)
      }
      return
    }
  }

  private static func usesBrief(_ row: LadderRow, _ store: RawSpan, _ room: Int) -> Bool {
    if room == .max { return false }
    // What went wrong says more than what the exchange says anyway.
    let reason = row.isFailure ? row.parts.first.map { columns(store[$0.range]) + 1 } ?? 0 : 0
    return columns(store[row.head]) + reason > room
  }

  /// The last components of a URI, or the end of the last one when not even that has room.
  private static func ending(of uri: ByteRange, _ store: RawSpan, _ room: Int) -> [UInt8] {
    let tail = store[uri].copied().suffix(room)
    let whole = tail.firstIndex(of: UInt8(ascii: ".")).map { tail[($0 + 1)...] }
    return Array(whole.flatMap { $0.isEmpty ? nil : $0 } ?? tail)
  }

  /// Columns that the shortest form of a row needs.
  static func leastColumns(_ row: LadderRow, _ store: RawSpan) -> Int {
    var least = columns(store[row.brief])
    if row.isFailure, let reason = row.parts.first {
      least += 1 + min(columns(store[reason.range]), leastReason)
    }
    return least
  }

  static func latencyColumns(_ row: LadderRow) -> Int {
    if row.latency < 0 { return 0 }
    var text = TextBuffer(capacity: 64)
    Latency.append(row.latency, row.latencyPrecision, to: &text)
    return text.columns(from: 0)
  }

  static func append(latencyOf row: LadderRow, _ style: Style, to text: inout TextBuffer) {
    style.begin(.dim, &text)
    Latency.append(row.latency, row.latencyPrecision, to: &text)
    style.end(&text)
  }

  private static func columns(_ bytes: RawSpan) -> Int {
    var text = TextBuffer(capacity: 256)
    text.append(bytes)
    return text.columns(from: 0)
  }
}
