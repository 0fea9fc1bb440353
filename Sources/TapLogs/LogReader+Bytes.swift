// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Lines that have bytes on them, and no words that say so.
extension LogReader {
  /// What bytes in a string have, and what stands before those in brackets.
  private static let marks: UInt64 = 0x3C3C_3C3C_3C3C_3C5C

  /// Whether a place is behind the beginning of bytes in a string, `b'\x93`.
  static func isInBytes(_ line: RawSpan, _ place: Int) -> Bool {
    guard let slash = line.extracting(0..<place).firstIndex(of: 0x5C), slash > 1 else {
      return false
    }
    let quote = line.byte(at: slash - 1)
    return (quote == 0x27 || quote == 0x22) && line.byte(at: slash - 2) == UInt8(ascii: "b")
  }

  /// Messages of bytes: in a string, `b'\x93…'`, or in brackets, `<Buffer 93 …>`.
  ///
  /// - Returns: whether there is any.
  mutating func readBytes(
    _ line: LogLine, _ page: inout LogFacts, _ sink: any EvidenceSink
  ) -> Bool {
    var hasMessage = false
    var at = 0
    while at < line.text.byteCount {
      let next = line.text.firstIndex(ofAny: Self.marks, from: at)
      if next == line.text.byteCount { break }
      at = next + 1
      if line.text.byte(at: next) == 0x5C {
        guard next > 1, line.text.byte(at: next - 2) == UInt8(ascii: "b"),
          line.text.byte(at: next - 1) == 0x27 || line.text.byte(at: next - 1) == 0x22,
          let octets = LoggedOctets(line.text, next - 2)
        else { continue }
        at = octets.end
        if readBytes(octets.bytes, line, next - 2..<at, &page, sink) { hasMessage = true }
      } else if let hex = BracketedHex(line.text, next), !hex.isText {
        at = hex.end
        let isMessage =
          hex.isCut
          ? readBeginning(hex, line, next, &page, sink)
          : readBytes(hex.octets, line, next..<at, &page, sink)
        if isMessage { hasMessage = true }
      }
    }
    return hasMessage
  }

  private mutating func readBytes(
    _ octets: Scratch, _ line: LogLine, _ range: Range<Int>,
    _ page: inout LogFacts, _ sink: any EvidenceSink
  ) -> Bool {
    var recognition = recogniser.recognise(octets.bytes, .binary)
    let isMalformed = recognition.grade == .none
    if isMalformed {
      recognition = Recognition(.possible)
      if recogniser.recognise(octets.bytes, .withheld).grade == .none { return false }
    }
    look(before: range.lowerBound, line.text, &page)
    // What only begins as a message is one where the line says who sends it.
    if isMalformed && page.match == nil { return false }
    take(FoundMessage(octets, recognition, .binary, range), line, &page, sink)
    return true
  }

  /// Of bytes that the program cut, nothing is guessed; who prints them must be known.
  private mutating func readBeginning(
    _ hex: BracketedHex, _ line: LogLine, _ start: Int, _ page: inout LogFacts,
    _ sink: any EvidenceSink
  ) -> Bool {
    look(before: start, line.text, &page)
    if page.match == nil { return false }
    var frame = LoggedFrame(octets: hex.octets, isCut: true)
    if hex.missing < .max { frame.length = hex.octets.count + hex.missing }
    let sight = facts.sight(Recognition(.possible), .binary, line, start, hex.end, &page)
    return message(frame, sight, line, start, &page, sink)
  }

  private mutating func look(before start: Int, _ line: RawSpan, _ page: inout LogFacts) {
    let prefix = line.extracting(0..<start)
    page.skeleton = LogRules.skeleton(prefix)
    page.match = facts.rules.match(prefix, page.skeleton)
  }
}
