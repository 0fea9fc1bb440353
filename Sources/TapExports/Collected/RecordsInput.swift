// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence
public import TapTraffic

/// Indented JSON of records that have a line of a log each, as `aws logs get-log-events`,
/// `gcloud logging read --format=json`, Elasticsearch and `jq` print them. Each record is read as
/// one line, in the place of its first; the blank lines behind it keep the others where they are.
public struct RecordsInput: InputKind {
  public static let name: StaticString = "records"

  /// Bytes of the beginning of a file that are looked at.
  private static let looked = 64 << 10

  private let limits: Limits
  private var splitter = RecordSplitter()
  private var inner: Unwrapped
  private var text = Scratch()
  /// Line ends inside of records. A record counts as one line, with a message or without.
  private var ends = 0

  public init(_ place: Place, limits: Limits) {
    self.limits = limits
    inner = Unwrapped(of: Self.name, in: place, limits, isText: true)
  }

  /// All of it is JSON from the first byte; the first record is one of a list, or another stands
  /// behind it.
  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    let claim = claim(head)
    return claim == .undecided && isAll ? .no : claim
  }

  /// Whether a record has begun, or what may have some.
  public static func isUnfinished(_ head: RawSpan) -> Bool {
    var isOpen = false
    return claim(head, &isOpen) == .undecided && isOpen
  }

  private static func claim(_ head: RawSpan) -> InputClaim {
    var isOpen = false
    return claim(head, &isOpen)
  }

  private static func claim(_ head: RawSpan, _ isOpen: inout Bool) -> InputClaim {
    var splitter = RecordSplitter()
    var isFound = false
    for at in 0..<min(head.byteCount, looked) {
      let end = splitter.take(head.byte(at: at))
      if splitter.hasOther { return .no }
      if end == .record {
        if isFound || splitter.isInList { return .yes }
        isFound = true
      }
      if end != nil { splitter.clear() }
    }
    isOpen = !splitter.isOutside
    return head.byteCount >= looked ? .no : .undecided
  }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    for at in 0..<chunk.byteCount {
      if let end = splitter.take(chunk.byte(at: at)) {
        Self.write(end, &splitter, &ends, &text)
      } else if splitter.held > limits.recordBytes {
        splitter.giveUp()
        Self.write(.other, &splitter, &ends, &text)
      }
    }
    // Outside of brackets, nothing is held back.
    if splitter.isOutside { Self.write(.other, &splitter, &ends, &text) }
    inner.take(&text, sink)
  }

  public mutating func finish(_ sink: any EvidenceSink) {
    Self.write(.other, &splitter, &ends, &text)
    inner.take(&text, sink)
    inner.finish(sink)
    sink.count(.linePassedOver, -ends)
  }

  // A record that has not ended is no more than half a line: nothing decides on it.
  public var waiting: UInt64? { inner.waiting }
  public mutating func settle(_ sink: any EvidenceSink) { inner.settle(sink) }

  private static func write(
    _ end: RecordSplitter.End, _ splitter: inout RecordSplitter, _ ends: inout Int,
    _ text: inout Scratch
  ) {
    if end == .record {
      ends += splitter.writeLine(to: &text)
    } else {
      text.append(splitter.piece.bytes)
    }
    splitter.clear()
  }
}
