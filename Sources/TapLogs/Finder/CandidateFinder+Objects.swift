// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

extension CandidateFinder {
  /// The object that begins at `start`, as JSON or as the language of the program prints it; nil
  /// where it is no message.
  ///
  /// - Parameter end: where its brackets close; nil where they do not.
  mutating func object(
    _ line: RawSpan, _ start: Int, _ end: Int?, _ facts: inout LogFacts
  ) -> FoundMessage? {
    if let end {
      let text = line.extracting(start..<end)
      var recognition = recogniser.recognise(text, .text)
      if recognition.grade == .none && facts.isSent {
        recognition = recogniser.recognise(sent: text)
      }
      if recognition.grade != .none {
        return FoundMessage(.line(start..<end), recognition, .text, start..<end)
      }
    }
    return literal(line, start, line, start..<start, &facts)
  }
}
