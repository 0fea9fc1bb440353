// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Finds messages of bytes that no words announce: in a string, `b'\x93…'`, or in brackets,
/// `<Buffer 93 …>`.
struct BytesFinder {
  let recogniser: any TextRecogniser

  /// A backslash, as in bytes of a string, and `<`, which begins those in brackets.
  private static let marks: UInt64 = 0x3C3C_3C3C_3C3C_3C5C

  /// Whether a place is behind the beginning of bytes in a string, `b'\x93`.
  static func isInBytes(_ line: RawSpan, _ place: Int) -> Bool {
    guard let slash = line.extracting(0..<place).firstIndex(of: .backslash), slash > 1 else {
      return false
    }
    let quote = line.byte(at: slash - 1)
    return (quote == .apostrophe || quote == .quote)
      && line.byte(at: slash - 2) == UInt8(ascii: "b")
  }

  /// The next ones from an offset on; nil where there are no more that may be a message.
  ///
  /// - Returns: also how many there were, where the program has left out some.
  func next(
    _ line: RawSpan, from start: Int
  ) -> (message: FoundMessage, cut: LoggedFrame?)? {
    var at = start
    while at < line.byteCount {
      let next = line.firstIndex(ofAny: Self.marks, from: at)
      if next == line.byteCount { break }
      at = next + 1
      if line.byte(at: next) == .backslash {
        guard next > 1, line.byte(at: next - 2) == UInt8(ascii: "b"),
          line.byte(at: next - 1) == .apostrophe || line.byte(at: next - 1) == .quote,
          let octets = LoggedOctets(line, next - 2)
        else { continue }
        at = octets.end
        if let found = found(octets.bytes, next - 2..<at) { return (found, nil) }
      } else if let hex = BracketedHex(line, next), !hex.isText {
        at = hex.end
        if hex.isCut { return cut(hex, next) }
        if let found = found(hex.octets, next..<at) { return (found, nil) }
      }
    }
    return nil
  }

  /// Bytes that only begin like a message are one if the line says who sends it.
  private func found(_ octets: Scratch, _ place: Range<Int>) -> FoundMessage? {
    let recognition = recogniser.recognise(octets.bytes, .binary)
    if recognition.grade != .none { return FoundMessage(octets, recognition, .binary, place) }
    if recogniser.recognise(octets.bytes, .withheld).grade == .none { return nil }
    var found = FoundMessage(octets, Recognition(.possible), .binary, place)
    found.needs = .mark
    return found
  }

  /// Bytes that the program cut are a message only behind a mark: nothing of them is guessed.
  private func cut(_ hex: BracketedHex, _ start: Int) -> (FoundMessage, LoggedFrame?) {
    var frame = LoggedFrame(beginning: hex.octets)
    if hex.missing < .max { frame.length = hex.octets.count + hex.missing }
    var found = FoundMessage(hex.octets, Recognition(.possible), .binary, start..<hex.end)
    found.needs = .mark
    return (found, frame)
  }
}
