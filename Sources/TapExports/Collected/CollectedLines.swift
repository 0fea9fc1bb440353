// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Makes lines of text out of the records of a file, one record a line, and has them read as a
/// text.
struct CollectedLines {
  /// Writes the text of a record, without the end of its last line; answers false for what is none
  /// of them, which stays as it is.
  typealias Writer = (RawSpan, CollectedRecord, inout JSONText, inout Scratch) -> Bool

  /// Bytes of the beginning of a file that are looked at.
  private static let looked = 32 << 10

  private let limits: Limits
  private let write: Writer
  private var inner: Unwrapped
  /// The beginning of a line whose end has not come.
  private var carry = Scratch()
  private var text = Scratch()
  private var string = JSONText()

  init(of name: StaticString, in place: Place, _ limits: Limits, _ write: @escaping Writer) {
    (self.limits, self.write) = (limits, write)
    inner = Unwrapped(of: name, in: place, limits, isText: true)
  }

  /// Whether the first line of a file is a record.
  static func claim(
    _ head: RawSpan, isAll: Bool, isRecord: (RawSpan, CollectedRecord) -> Bool
  ) -> InputClaim {
    guard let end = head.firstIndex(of: .lineFeed) ?? (isAll ? head.byteCount : nil) else {
      return isAll || head.byteCount >= looked ? .no : .undecided
    }
    let line = head.extracting(0..<end)
    return CollectedRecord(line).map { isRecord(line, $0) } == true ? .yes : .no
  }

  mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    var start = 0
    while let end = chunk.firstIndex(of: .lineFeed, from: start) {
      if carry.isEmpty {
        endLine(chunk.extracting(start..<end))
      } else {
        carry.append(chunk.extracting(start..<end))
        let line = carry
        carry = Scratch()
        endLine(line.bytes)
      }
      start = end + 1
    }
    carry.append(chunk.dropping(start))
    // Longer than any line may be: passed on as it is, so that the reader of the text reports it.
    if carry.count > limits.lineBytes {
      let part = carry
      carry = Scratch()
      text.append(part.bytes)
    }
    inner.take(&text, sink)
  }

  mutating func finish(_ sink: any EvidenceSink) {
    let line = carry
    carry = Scratch()
    if !line.isEmpty { endLine(line.bytes) }
    inner.take(&text, sink)
    inner.finish(sink)
  }

  var waiting: UInt64? { inner.waiting }
  mutating func settle(_ sink: any EvidenceSink) { inner.settle(sink) }

  private mutating func endLine(_ line: RawSpan) {
    let before = text.count
    if let record = CollectedRecord(line), write(line, record, &string, &text) {
      text.append(.lineFeed)
    } else {
      text.truncate(before)
      text.append(line)
      text.append(.lineFeed)
    }
  }
}

extension JSONText {
  /// Resolves the escapes of a string that is there as a whole, but for its quotes.
  mutating func read(whole content: RawSpan) {
    begin(most: content.byteCount)
    var at = 0
    _ = read(content, &at)
    let quote: [UInt8] = [.quote]
    at = 0
    _ = read(quote.span.bytes, &at)
  }
}
