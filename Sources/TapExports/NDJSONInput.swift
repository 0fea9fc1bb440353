// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence
public import TapTraffic

/// What `-o ndjson` wrote (wamptap-ndjson(5)), read again: the same connections and messages;
/// findings are made anew. Masked credentials stay masked.
public struct NDJSONInput: InputKind {
  public static let name: StaticString = "ndjson"

  private let place: Place
  private var stream = JSONStream<NDJSONReader>()
  private var reader: NDJSONReader
  private var run: NDJSONRun
  /// Of the line that is read, where it begins, and its number.
  private var start: UInt64 = 0
  private var number: UInt64 = 1
  /// The same of the line that its object began with.
  private var (first, firstNumber): (UInt64, UInt64) = (0, 1)
  private var offset: UInt64 = 0
  /// How many lines begin no object, other than those that this program says on standard error.
  private var others: UInt64 = 0
  /// Such a line is passed over.
  private var isOther = false
  /// Its first bytes, as many as those lines are known by.
  private var beginning = Scratch()

  public init(_ place: Place, limits: Limits) {
    self.place = place
    reader = NDJSONReader(limits)
    run = NDJSONRun(place.choice, limits)
  }

  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    NDJSONProbe.claim(head, isAll: isAll)
  }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    var at = 0
    while at < chunk.byteCount {
      if offset == start { begin(with: chunk.byte(at: at), sink) }
      let end = chunk.firstIndex(of: .lineFeed, from: at)
      let piece = chunk.extracting(at..<(end ?? chunk.byteCount))
      if isOther { keep(piece) } else { stream.receive(piece, &reader, sink) }
      offset += UInt64(piece.byteCount)
      guard let end else { return }
      offset += 1
      at = end + 1
      endLine(sink)
      (start, number) = (offset, number + 1)
    }
  }

  /// A line begins. Objects may go on over several, as jq prints them: then what begins with a
  /// brace is the next.
  private mutating func begin(with byte: UInt8, _ sink: any EvidenceSink) {
    isOther = false
    if stream.isEmpty {
      (first, firstNumber) = (start, number)
      // What this or another program said in between; a byte order mark may stand in front.
      isOther = byte != .openBrace && byte > 0x20 && byte != 0xEF
      beginning.removeAll()
    } else if byte == .openBrace {
      endObject(sink)
      (first, firstNumber) = (start, number)
    }
  }

  private mutating func endLine(_ sink: any EvidenceSink) {
    if isOther { endOther(sink) } else if !stream.mayBreak { endObject(sink) }
  }

  private mutating func keep(_ piece: RawSpan) {
    let missing = NDJSONProbe.said.utf8CodeUnitCount - beginning.count
    beginning.append(piece.extracting(0..<min(piece.byteCount, missing)))
  }

  private mutating func endOther(_ sink: any EvidenceSink) {
    if beginning.bytes.equals(NDJSONProbe.said) { return }
    others += 1
    if others > 1 { return }
    sink.finding(
      Finding(
        .exportDamaged, .warning, origin(start, line: number),
        "line \(number), at \(place.byte(start)), is no NDJSON; it is passed over"
      ).cutting)
  }

  public mutating func finish(_ sink: any EvidenceSink) {
    // A line may lack its end.
    if isOther && offset > start { endOther(sink) }
    stream.finish(&reader, sink)
    if stream.isWhole || stream.damage != nil {
      endObject(sink)
    } else if !stream.isEmpty {
      sink.finding(
        Finding(
          .exportTruncated, .warning, origin(first, line: firstNumber),
          "the NDJSON ends at \(place.byte(offset)), inside a line, which is not read"
        ).cutting)
    }
    reportOthers(sink)
    run.finish(sink)
  }

  private func origin(_ offset: UInt64, line: UInt64, _ time: Instant = .unknown) -> Origin {
    var origin = place.origin(offset, record: line, time)
    origin.isLine = true
    return origin
  }

  private mutating func endObject(_ sink: any EvidenceSink) {
    defer { stream.restart() }
    let line = reader.take()
    let origin = origin(first, line: firstNumber, line.time?.instant ?? .unknown)
    if stream.isEmpty { return }
    guard stream.isWhole else {
      let reason = stream.damage?.reason ?? "it ends too early"
      sink.finding(
        Finding(
          .exportDamaged, .warning, origin,
          "line \(firstNumber), at \(place.byte(first)), is no line of NDJSON: \(reason)"
        ).cutting)
      return
    }
    run.take(line, origin, sink)
  }

  private func reportOthers(_ sink: any EvidenceSink) {
    if others < 2 { return }
    sink.finding(
      Finding(
        .exportDamaged, .warning, origin(start, line: number),
        "\(others - 1) more of its lines are no NDJSON and passed over"
      ).cutting)
  }
}
