// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Splits JSON into its records: the objects of a list of them, or else the whole ones.
struct RecordSplitter {
  /// What a piece is that has come to its end.
  enum End {
    case record, other
  }

  private enum Kind {
    case object, list
    /// Its objects may be records.
    case records
  }

  /// Where it is in the piece, and whether a blank stands for it.
  private typealias Bracket = (kind: Kind, at: Int, isBlank: Bool)

  /// What CloudWatch and Elasticsearch call the list of their records.
  private static let lists: [StaticString] = ["events", "hits"]
  private static let times: [StaticString] = ["timestamp", "@timestamp", "time", "ts"]
  private static let texts: [StaticString] = ["message", "msg", "textPayload"]
  private static let deepest = 64

  /// What has come since the last end.
  private(set) var piece = Scratch()
  private var syntax = RecordSyntax()
  private var open: [Bracket] = []
  /// The object of a list that may be a record: where it begins in the piece, and its depth.
  private var item: (start: Int, depth: Int)?
  /// Where the outer object begins in the piece.
  private var outer = 0
  /// A record of the list was written: the objects around it are none.
  private var isCommitted = false
  /// The outer object has a time, and a text, so that it has no list of records.
  private var (outerHasTime, outerHasText) = (false, false)
  private var isTextNext = false
  /// Where the last string begins in the piece, with its quote.
  private var string = 0
  /// Outside of JSON, to the end of the line.
  private var isText = false
  /// Where the record that has ended begins in the piece.
  private var start = 0
  /// What came was no record, or no JSON.
  private(set) var hasOther = false

  /// Nothing is open.
  var isOutside: Bool { open.isEmpty }
  /// The record that has ended is one of a list.
  var isInList: Bool { !open.isEmpty }

  /// Bytes of JSON in the piece.
  var held: Int { open.isEmpty ? 0 : piece.count - outer }

  /// The piece was read.
  mutating func clear() {
    piece.removeAll()
    outer = 0
    for index in open.indices { open[index].at = -1 }
  }

  /// What is open is no JSON, or too much of it.
  mutating func giveUp() {
    open = []
    syntax = RecordSyntax()
    (item, isCommitted, isText, hasOther) = (nil, false, true, true)
  }

  /// Takes a byte into the piece; answers what the piece is where it ends with it.
  mutating func take(_ byte: UInt8) -> End? {
    if open.isEmpty { return takeOutside(byte) }
    guard let token = syntax.take(byte, inList: open[open.count - 1].kind != .object) else {
      piece.append(byte)
      giveUp()
      return takeEnd(byte)
    }
    switch token {
    case .open: return begin(byte)
    case .close: return end(byte)
    case .string:
      beginValue()
      string = piece.count
      if isTextNext { (outerHasText, isTextNext) = (true, false) }
    case .literal:
      beginValue()
      isTextNext = false
    case .colon: if item == nil { takeName() }
    case .comma where isCommitted && item == nil && open.last?.kind == .records:
      piece.append(.space)
      return nil
    case .comma, .inside: break
    }
    piece.append(byte)
    return byte == .lineFeed && isCommitted && item == nil ? .other : nil
  }

  private mutating func takeOutside(_ byte: UInt8) -> End? {
    if isText || byte.isJSONSpace {
      if !byte.isJSONSpace { hasOther = true }
      piece.append(byte)
      return takeEnd(byte)
    }
    guard byte == .openBrace || byte == .openBracket else {
      piece.append(byte)
      (isText, hasOther) = (true, true)
      return nil
    }
    (outer, outerHasTime, outerHasText, isTextNext) = (piece.count, false, false, false)
    syntax.begin(byte)
    open.append((byte == .openBrace ? .object : .records, piece.count, false))
    piece.append(byte)
    return nil
  }

  private mutating func takeEnd(_ byte: UInt8) -> End? {
    if byte == .lineFeed { isText = false }
    return byte == .lineFeed ? .other : nil
  }

  private mutating func begin(_ byte: UInt8) -> End? {
    if open.count >= Self.deepest {
      piece.append(byte)
      giveUp()
      return nil
    }
    isTextNext = false
    if byte == .openBracket {
      beginValue()
      open.append((isListOfRecords ? .records : .list, piece.count, false))
    } else {
      if item == nil, open.last?.kind == .records { item = (piece.count, open.count + 1) }
      open.append((.object, piece.count, false))
    }
    piece.append(byte)
    return nil
  }

  /// A value begins that is no object.
  private mutating func beginValue() {
    if item == nil, open.last?.kind == .records { hasOther = true }
  }

  /// Whether the list that begins there may have records: it is in the outer object or in an object
  /// of that, and these are no records themselves.
  private var isListOfRecords: Bool {
    item == nil && !isCommitted && open.count <= 2 && open.allSatisfy { $0.kind == .object }
      && !(outerHasTime && outerHasText) && Self.lists.contains { name($0) }
  }

  private mutating func end(_ byte: UInt8) -> End? {
    let bracket = open.removeLast()
    piece.append(bracket.isBlank ? 0x20 : byte)
    if let item, item.depth == open.count + 1 {
      self.item = nil
      if isOfLog(item.start) {
        commit(item.start)
        return .record
      }
      hasOther = true
      return isCommitted ? .other : nil
    }
    if !open.isEmpty { return nil }
    isText = true
    defer { isCommitted = false }
    if bracket.kind == .object && !isCommitted && isOfLog(outer) {
      start = outer
      return .record
    }
    if !isCommitted { hasOther = true }
    return .other
  }

  /// Blanks out the brackets around a record: with them, all lines would be one record.
  private mutating func commit(_ start: Int) {
    self.start = start
    isCommitted = true
    for index in open.indices where !open[index].isBlank && open[index].at >= 0 {
      piece.blank(at: open[index].at)
      open[index].isBlank = true
    }
  }

  // MARK: - Names

  /// The last string is the name of a member of an object that may be a record.
  private mutating func takeName() {
    guard open.allSatisfy({ $0.kind == .object }) else { return }
    if Self.times.contains(where: { name($0) }) { outerHasTime = true }
    isTextNext = Self.texts.contains { name($0) }
  }

  /// Whether the last string is that, and not one of a piece before.
  private func name(_ name: StaticString) -> Bool {
    let text = piece.bytes
    let end = string + name.utf8CodeUnitCount + 1
    return end < text.byteCount && text.byte(at: string) == .quote && text.byte(at: end) == .quote
      && text.extracting(string + 1..<end).equals(name)
  }

  // MARK: - Records

  /// Whether the record has several lines, a time, and a text, which may be in an object of it.
  private func isOfLog(_ start: Int) -> Bool {
    let text = piece.bytes.dropping(start)
    guard text.firstIndex(of: .lineFeed) != nil else { return false }
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
    for value in record.values where text.byte(at: value.lowerBound) == .openBrace {
      let inner = members(of: text.extracting(value), depth: depth + 1)
      found = (found.hasTime || inner.hasTime, found.hasText || inner.hasText)
    }
    return found
  }

  /// Writes what stood before the record, the record as one line, and as many ends of lines as it
  /// has.
  ///
  /// - Returns: how many it has.
  func writeLine(to text: inout Scratch) -> Int {
    let bytes = piece.bytes
    text.append(bytes.extracting(0..<start))
    var (at, ends) = (start, 0)
    while at < bytes.byteCount {
      let byte = bytes.byte(at: at)
      let isEnd =
        byte == .carriageReturn && at + 1 < bytes.byteCount && bytes.byte(at: at + 1) == .lineFeed
      at += 1
      if isEnd { continue }
      if byte != .lineFeed {
        text.append(byte)
        continue
      }
      ends += 1
      while at < bytes.byteCount, [.space, .tab].contains(bytes.byte(at: at)) { at += 1 }
    }
    for _ in 0..<ends { text.append(.lineFeed) }
    return ends
  }
}
