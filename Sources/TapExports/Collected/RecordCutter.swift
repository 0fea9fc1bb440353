// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Cuts JSON into its records: the objects of a list of them, or else the whole ones.
struct RecordCutter {
  /// What a piece is that has come to its end.
  enum End {
    case record, other
  }

  private enum Bracket {
    case object, list
    /// Its objects are records.
    case listOfRecords
  }

  /// What collectors call the list of their records.
  private static let lists: [StaticString] = [
    "events", "hits", "entries", "logs", "logEvents", "results", "result", "data", "records",
    "items",
  ]
  private static let times: [StaticString] = [
    "timestamp", "@timestamp", "time", "ts", "_time", "date", "datetime", "TimeGenerated",
  ]
  private static let texts: [StaticString] = [
    "message", "msg", "log", "line", "textPayload", "short_message", "MESSAGE", "_raw", "content",
  ]
  private static let deepest = 64

  /// What has come since the last end, and where the record begins in it.
  private(set) var piece = Scratch()
  private var start = 0
  private var open: [Bracket] = []
  /// Brackets around the record that has begun, with its own.
  private var record: Int?
  private var isInString = false
  private var isEscaped = false

  /// Nothing is open.
  var isOutside: Bool { open.isEmpty }
  /// The record that has ended is one of a list.
  var isInList: Bool { !open.isEmpty }

  /// The piece was read.
  mutating func clear() {
    piece.removeAll()
    start = 0
  }

  /// Takes a byte into the piece; answers what the piece is where it ends with it.
  mutating func take(_ byte: UInt8) -> End? {
    if isInString {
      piece.append(byte)
      // No string of JSON goes on in the next line.
      if byte == 0x0A {
        giveUp()
        return .other
      }
      if !isEscaped && byte == 0x22 { isInString = false }
      isEscaped = byte == 0x5C && !isEscaped
      return nil
    }
    switch byte {
    case 0x22: isInString = true
    case 0x7B, 0x5B: return begin(byte)
    case 0x7D, 0x5D:
      piece.append(byte)
      let isEnd = record == open.count && !open.isEmpty
      open.removeLast(min(1, open.count))
      if isEnd { record = nil }
      return isEnd ? .record : nil
    default: break
    }
    piece.append(byte)
    return nil
  }

  private mutating func begin(_ byte: UInt8) -> End? {
    if open.count >= Self.deepest {
      piece.append(byte)
      giveUp()
      return .other
    }
    if byte == 0x5B {
      open.append(open.isEmpty || record == 1 && isNamed ? .listOfRecords : .list)
      piece.append(byte)
      return nil
    }
    // What is around the list is no record.
    let isOfList = open.last == .listOfRecords && (record ?? 1) == 1
    open.append(.object)
    if isOfList || open.count == 1 { (record, start) = (open.count, piece.count) }
    piece.append(byte)
    return nil
  }

  /// What the list is called that begins there.
  private var isNamed: Bool {
    let text = piece.bytes
    var at = text.byteCount
    while at > 0, text.byte(at: at - 1).isJSONSpace { at -= 1 }
    guard at > 0, text.byte(at: at - 1) == 0x3A else { return false }
    at -= 1
    while at > 0, text.byte(at: at - 1).isJSONSpace { at -= 1 }
    return Self.lists.contains { name in
      let start = at - name.utf8CodeUnitCount - 2
      return start >= 0 && text.byte(at: start) == 0x22 && text.byte(at: at - 1) == 0x22
        && text.extracting(start + 1..<at - 1).equals(name)
    }
  }

  /// What is open is no JSON, or too much of it.
  mutating func giveUp() {
    open = []
    (record, isInString, isEscaped) = (nil, false, false)
  }

  // MARK: - Records

  /// Whether the record has several lines, a time, and a text, which may be in an object of it.
  var isOfLog: Bool {
    let text = piece.bytes.dropping(start)
    guard text.firstIndex(of: 0x0A) != nil else { return false }
    let (hasTime, hasText) = Self.members(of: text, depth: 0)
    return hasTime && hasText
  }

  private static func members(of text: RawSpan, depth: Int) -> (hasTime: Bool, hasText: Bool) {
    guard let record = CollectedRecord(text) else { return (false, false) }
    var found = (
      hasTime: times.contains { record.value($0, text) != nil },
      hasText: texts.contains { record.string($0, text) != nil }
    )
    if depth > 0 { return found }
    for value in record.values where text.byte(at: value.lowerBound) == 0x7B {
      let inner = members(of: text.extracting(value), depth: depth + 1)
      found = (found.hasTime || inner.hasTime, found.hasText || inner.hasText)
    }
    return found
  }

  /// Writes the record as one line, and as many ends of lines as it has, and stood before it.
  ///
  /// - Returns: how many it has.
  func writeLine(to text: inout Scratch) -> Int {
    let bytes = piece.bytes
    for at in 0..<start where bytes.byte(at: at) == 0x0A { text.append(0x0A) }
    var (at, ends) = (start, 0)
    while at < bytes.byteCount {
      let byte = bytes.byte(at: at)
      at += 1
      if byte != 0x0A && byte != 0x0D {
        text.append(byte)
        continue
      }
      if byte == 0x0A { ends += 1 }
      while at < bytes.byteCount, [0x20, 0x09].contains(bytes.byte(at: at)) { at += 1 }
    }
    for _ in 0..<ends { text.append(0x0A) }
    return ends
  }
}
