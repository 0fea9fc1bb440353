// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Makes lines of text of the records of a file, one on each line, and has them read as that.
struct CollectedLines {
  private let limits: Limits
  private var inner: Unwrapped
  /// The beginning of a line whose end has not come.
  private var carry = Scratch()
  private var text = Scratch()
  private var string = JSONText()

  init(of name: StaticString, in place: Place, _ limits: Limits) {
    self.limits = limits
    inner = Unwrapped(of: name, in: place, limits, isText: true)
  }

  /// - Parameter write: the text of a record, without the end of its last line; answers false for
  ///   what is none of them, which stays as it is.
  mutating func receive(
    _ chunk: RawSpan, _ floor: any Floor,
    _ write: (RawSpan, CollectedRecord, inout JSONText, inout Scratch) -> Bool
  ) {
    var start = 0
    while let end = chunk.firstIndex(of: 0x0A, from: start) {
      if carry.isEmpty {
        endLine(chunk.extracting(start..<end), write)
      } else {
        carry.append(chunk.extracting(start..<end))
        let line = carry
        carry = Scratch()
        endLine(line.bytes, write)
      }
      start = end + 1
    }
    carry.append(chunk.dropping(start))
    // Longer than any line may be: the text is told so.
    if carry.count > limits.lineBytes {
      let part = carry
      carry = Scratch()
      text.append(part.bytes)
    }
    pass(floor)
  }

  mutating func finish(
    _ floor: any Floor,
    _ write: (RawSpan, CollectedRecord, inout JSONText, inout Scratch) -> Bool
  ) {
    let line = carry
    carry = Scratch()
    if !line.isEmpty { endLine(line.bytes, write) }
    pass(floor)
    inner.finish(floor)
  }

  private mutating func endLine(
    _ line: RawSpan, _ write: (RawSpan, CollectedRecord, inout JSONText, inout Scratch) -> Bool
  ) {
    let before = text.count
    if let record = CollectedRecord(line), write(line, record, &string, &text) {
      text.append(0x0A)
    } else {
      text.truncate(before)
      text.append(line)
      text.append(0x0A)
    }
  }

  private mutating func pass(_ floor: any Floor) {
    if text.isEmpty { return }
    var ready = Scratch()
    swap(&ready, &text)
    inner.receive(ready.bytes, floor)
    ready.removeAll()
    ready.shrink(above: 1 << 20)
    swap(&ready, &text)
  }
}

extension JSONText {
  /// Resolves the escapes of a string that is there as a whole, but for its quotes.
  mutating func read(whole content: RawSpan) {
    begin(most: content.byteCount)
    var at = 0
    _ = read(content, &at)
    let quote: [UInt8] = [0x22]
    at = 0
    _ = read(quote.span.bytes, &at)
  }
}
