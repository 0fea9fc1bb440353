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
      let recognition = recogniser.recognise(line.extracting(start..<end), .text)
      if recognition.grade != .none {
        return FoundMessage(.line(start..<end), recognition, .text, start..<end)
      }
    }
    return literal(line, start, line, start..<start, &facts)
  }
}
