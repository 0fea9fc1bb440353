// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Finds the records in the lines of a text: each begins with a bracket at the beginning of a line,
/// or behind the name of an event and a space, and may go on over several lines.
struct BrowserEventLines {
  private enum Line {
    /// Nothing but blanks, or a name, has come of it.
    case begun
    /// A record, or a list of records.
    case record
    /// Anything else.
    case other
  }

  /// No name of an event is longer.
  private static let mostOfNames = 96

  private var stream = JSONStream<BrowserEventReader>()
  private var notation = PythonNotation()
  private var line = Line.begun
  /// Offsets of the next byte, and of the line.
  private var (offset, start): (UInt64, UInt64) = (0, 0)
  /// The record is no list.
  private var isObject = false
  /// What stands before it on its line.
  private var name = Scratch()
  /// A piece of a record as JSON, where it is not written so.
  private var json = Scratch()

  /// A record, or a list of records, has not ended.
  var isInRecord: Bool { line == .record }

  mutating func receive(
    _ chunk: RawSpan, _ reader: inout BrowserEventReader, _ sink: any EvidenceSink
  ) {
    var at = 0
    while at < chunk.byteCount {
      let lineFeed = chunk.firstIndex(of: .lineFeed, from: at)
      let end = lineFeed.map { $0 + 1 } ?? chunk.byteCount
      if offset == start { beginLine(with: chunk.byte(at: at), &reader) }
      while line == .begun, at < end {
        begin(with: chunk.byte(at: at), &reader, sink)
        if line != .record { (at, offset) = (at + 1, offset + 1) }
      }
      if line == .record { read(chunk.extracting(at..<end), &reader, sink) }
      offset += UInt64(end - at)
      at = end
      if lineFeed != nil { endLine(&reader, sink) }
    }
  }

  mutating func finish(_ reader: inout BrowserEventReader, _ sink: any EvidenceSink) {
    if offset > start { endLine(&reader, sink) }
    if line == .record { reader.truncated(at: offset) }
  }

  /// A record that is no list ends before an object that begins a line, whatever it lacks.
  private mutating func beginLine(with byte: UInt8, _ reader: inout BrowserEventReader) {
    guard line == .record, isObject, byte == .openBrace else { return }
    reader.damaged(at: start, "a record ends before its closing bracket")
    endRecord(&reader)
  }

  /// A byte at the beginning of a line.
  private mutating func begin(
    with byte: UInt8, _ reader: inout BrowserEventReader, _ sink: any EvidenceSink
  ) {
    // A byte order mark may stand in front: U+FEFF in UTF-8.
    let isMark = offset < 3 && byte == (offset == 0 ? 0xEF : offset == 1 ? 0xBB : 0xBF)
    switch byte {
    case _ where isMark: break
    case .openBrace, .openBracket:
      let isNamed = !name.isEmpty
      if isNamed && !(byte == .openBrace && isNameOfEvent) { return line = .other }
      (line, isObject) = (.record, byte == .openBrace)
      reader.begin(at: isNamed ? start : offset, isList: !isObject)
      if isNamed { read(head: &reader, sink) }
    case .lineFeed: break
    case .space, .tab, .carriageReturn: if !name.isEmpty && !isNameOver { name.append(.space) }
    case _ where (byte.isAlpha || byte == .period) && name.count < Self.mostOfNames && !isNameOver:
      name.append(byte)
    default: line = .other
    }
  }

  /// A space stands behind the name.
  private var isNameOver: Bool {
    !name.isEmpty && name.bytes.byte(at: name.count - 1) == .space
  }

  /// `Network.webSocketClosed`, and a space behind it.
  private var isNameOfEvent: Bool { isNameOver && name.bytes.firstIndex(of: .period) != nil }

  /// `{"method":"NAME","params":`, of which the record is the end.
  private mutating func read(head reader: inout BrowserEventReader, _ sink: any EvidenceSink) {
    name.truncate(name.count - 1)
    var json = Scratch()
    json.append(#"{"method":""#)
    json.append(name.bytes)
    json.append(#"","params":"#)
    reader.isTranslated = true
    stream.receive(json.bytes, &reader, sink)
  }

  private mutating func read(
    _ piece: RawSpan, _ reader: inout BrowserEventReader, _ sink: any EvidenceSink
  ) {
    if notation.isPython(piece) {
      // Taken out for as long as it is lent.
      var json = Scratch()
      swap(&json, &self.json)
      json.removeAll()
      notation.write(piece, to: &json)
      reader.isTranslated = true
      stream.receive(json.bytes, &reader, sink)
      swap(&json, &self.json)
    } else {
      stream.receive(piece, &reader, sink)
    }
  }

  private mutating func endLine(
    _ reader: inout BrowserEventReader, _ sink: any EvidenceSink
  ) {
    switch line {
    case .begun: if !name.isEmpty { passOver(&reader, sink) }
    case .other: passOver(&reader, sink)
    case .record:
      if !name.isEmpty, stream.restsAt == 1 {
        let end: [UInt8] = [.closeBrace]
        stream.receive(end.span.bytes, &reader, sink)
      }
      if let damage = stream.damage {
        reader.damaged(at: reader.offset(damage.offset), damage.reason)
      } else if !stream.isWhole && !stream.mayBreak {
        reader.damaged(at: start, "the line ends inside a string")
      } else if !stream.isWhole {
        break
      }
      endRecord(&reader)
    }
    start = offset
    if line != .record { line = .begun }
    if line == .begun { name.removeAll() }
  }

  private mutating func endRecord(_ reader: inout BrowserEventReader) {
    stream.restart()
    notation = PythonNotation()
    line = .begun
    name.removeAll()
    reader.endRecord()
  }

  private func passOver(_ reader: inout BrowserEventReader, _ sink: any EvidenceSink) {
    reader.isOther()
    sink.count(.line, 1)
    sink.count(.linePassedOver, 1)
  }
}
