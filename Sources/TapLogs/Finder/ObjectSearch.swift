// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Objects on a line, and the lists of `SentJSON`, one after the other; those inside of one are
/// looked at when that is no message.
struct ObjectSearch {
  private var at = 0
  /// Bytes to go over: those of objects inside of each other are gone over for each of them.
  private var left: Int

  /// There was more than could be looked at.
  private(set) var isExhausted = false

  /// - Parameter most: objects inside of each other.
  init(_ line: LogLine, _ starts: ObjectStarts, most: Int) {
    left = starts.mayHold(line) ? most * line.text.byteCount : 0
  }

  /// The next one that begins before a list, and where its brackets close.
  ///
  /// - Parameters:
  ///   - begin: behind the last message.
  ///   - list: where the next list begins; nil for none.
  mutating func next(
    _ line: RawSpan, from begin: Int, before list: Int?
  ) -> (start: Int, end: Int?)? {
    if left <= 0 { return nil }
    guard let start = Self.next(line, from: max(at, begin)), start < list ?? Int.max else {
      return nil
    }
    let end = ListEnd.json(line, start)
    at = start + 1
    left -= (end ?? line.byteCount) - start
    isExhausted = left <= 0 && Self.next(line, from: at) != nil
    return (start, end)
  }

  private static func next(_ line: RawSpan, from begin: Int) -> Int? {
    var at = begin
    while true {
      at = line.firstIndex(ofAny: 0x5B7B_5B7B_5B7B_5B7B, from: at)
      if at >= line.byteCount { return nil }
      if line.byte(at: at) == .openBrace || SentJSON.isList(line, at) { return at }
      at += 1
    }
  }
}
