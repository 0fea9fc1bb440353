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
  private var cutter = RecordCutter()
  private var inner: Unwrapped
  private var text = Scratch()
  /// Ends of lines inside of records: a record is one line that has a message, or has none.
  private var ends = 0

  public init(_ place: Place, limits: Limits) {
    self.limits = limits
    inner = Unwrapped(of: Self.name, in: place, limits, isText: true)
  }

  /// The first record is one of a list, or another stands behind it; it has several lines, a time,
  /// and a text.
  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    guard let first = (0..<head.byteCount).first(where: { !head.byte(at: $0).isJSONSpace }) else {
      return isAll ? .no : .undecided
    }
    if head.byte(at: first) != 0x7B && head.byte(at: first) != 0x5B { return .no }
    var cutter = RecordCutter()
    var isFound = false
    for at in 0..<min(head.byteCount, looked) {
      if cutter.isOutside && !head.byte(at: at).isJSONSpace && head.byte(at: at) != 0x7B
        && head.byte(at: at) != 0x5B
      {
        return .no
      }
      guard let end = cutter.take(head.byte(at: at)) else { continue }
      if end == .other && cutter.isOutside { return .no }
      if end == .record {
        if isFound { return .yes }
        guard cutter.isOfLog else { return .no }
        if cutter.isInList { return .yes }
        isFound = true
      }
      cutter.clear()
    }
    return isAll || head.byteCount >= looked ? .no : .undecided
  }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    for at in 0..<chunk.byteCount {
      if let end = cutter.take(chunk.byte(at: at)) {
        Self.write(end, &cutter, &ends, &text)
      } else if cutter.piece.count > limits.lineBytes {
        cutter.giveUp()
        Self.write(.other, &cutter, &ends, &text)
      }
    }
    inner.take(&text, sink)
  }

  public mutating func finish(_ sink: any EvidenceSink) {
    Self.write(.other, &cutter, &ends, &text)
    inner.take(&text, sink)
    inner.finish(sink)
    sink.count(.linePassedOver, -ends)
  }

  public var waiting: UInt64? { inner.waiting }
  public mutating func settle(_ sink: any EvidenceSink) { inner.settle(sink) }

  private static func write(
    _ end: RecordCutter.End, _ cutter: inout RecordCutter, _ ends: inout Int,
    _ text: inout Scratch
  ) {
    if end == .record {
      ends += cutter.writeLine(to: &text)
    } else {
      text.append(cutter.piece.bytes)
    }
    cutter.clear()
  }
}
