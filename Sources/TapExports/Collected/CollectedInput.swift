// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// A program that collects lines of logs, and has each in a record of JSON on a line of its own.
protocol LogCollector: SendableMetatype {
  /// What `--input` calls it.
  static var name: StaticString { get }
  /// See `InputKind.claim`.
  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim
  /// Writes the text of a record, without the end of its last line; answers false for what is none
  /// of them, which stays as it is.
  static func write(
    _ line: RawSpan, _ record: CollectedRecord, _ string: inout JSONText, _ text: inout Scratch
  ) -> Bool
  /// Whether the collector has left out the text of a record.
  static func omits(_ line: RawSpan, _ record: CollectedRecord) -> Bool
}

extension LogCollector {
  static func omits(_: RawSpan, _: CollectedRecord) -> Bool { false }
}

/// Makes lines of text out of the records of a file, one record a line, and has them read as a
/// text.
struct CollectedInput<Collector: LogCollector>: InputKind {
  static var name: StaticString { Collector.name }

  private let place: Place
  private let limits: Limits
  private var lines: UInt64 = 0
  /// Records without their text: how many there are, and the first.
  private var omitted: (count: Int, first: UInt64) = (0, 0)
  private var inner: Unwrapped
  /// The beginning of a line whose end has not come.
  private var carry = Scratch()
  private var text = Scratch()
  private var string = JSONText()

  init(_ place: Place, limits: Limits) {
    (self.place, self.limits) = (place, limits)
    inner = Unwrapped(of: Self.name, in: place, limits, isText: true)
  }

  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    Collector.claim(head, isAll: isAll)
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
    if omitted.count > 0 {
      sink.finding(
        .exportBadMessage, .warning, place.origin(0, record: omitted.first),
        "\(counted(omitted.count, "record")) without text: it was longer than journalctl prints"
          + " without --all")
    }
  }

  var waiting: UInt64? { inner.waiting }
  mutating func settle(_ sink: any EvidenceSink) { inner.settle(sink) }

  private mutating func endLine(_ line: RawSpan) {
    let before = text.count
    lines += 1
    if let record = CollectedRecord(line), Collector.write(line, record, &string, &text) {
      text.append(.lineFeed)
      if Collector.omits(line, record) {
        if omitted.count == 0 { omitted.first = lines }
        omitted.count += 1
      }
    } else {
      text.truncate(before)
      text.append(line)
      text.append(.lineFeed)
    }
  }
}

extension LogCollector {
  /// Whether the first line of a file is a record.
  static func claim(
    _ head: RawSpan, isAll: Bool, isRecord: (RawSpan, CollectedRecord) -> Bool
  ) -> InputClaim {
    guard let end = head.firstIndex(of: .lineFeed) ?? (isAll ? head.byteCount : nil) else {
      // So much of the beginning of a file is looked at.
      return isAll || head.byteCount >= 32 << 10 ? .no : .undecided
    }
    let line = head.extracting(0..<end)
    return CollectedRecord(line).map { isRecord(line, $0) } == true ? .yes : .no
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
