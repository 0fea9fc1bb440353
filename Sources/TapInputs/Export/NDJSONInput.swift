// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapTraffic

/// What `-o ndjson` wrote (wamptap-ndjson(5)), read again: the same connections and messages;
/// findings are made anew. Masked credentials stay masked.
public struct NDJSONInput: InputKind {
  static let name: StaticString = "ndjson"

  private let place: Place
  private let limits: Limits
  private var stream = JSONStream<NDJSONReader>()
  private var reader: NDJSONReader
  private var run: NDJSONRun
  /// Of the line that is read, where it begins, and its number.
  private var start: UInt64 = 0
  private var number: UInt64 = 1
  private var offset: UInt64 = 0

  /// - Parameter input: the number of this input, which goes into every origin.
  public init(input: UInt16, limits: Limits) {
    self.init(Place(input: input), limits: limits)
  }

  init(_ place: Place, limits: Limits) {
    (self.place, self.limits) = (place, limits)
    reader = NDJSONReader(limits)
    run = NDJSONRun(limits)
  }

  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    NDJSONSight.claim(head, isAll: isAll)
  }

  public mutating func receive(_ chunk: RawSpan, _ floor: any Floor) {
    var at = 0
    while at < chunk.byteCount {
      let end = chunk.firstIndex(of: 0x0A, from: at)
      let piece = chunk.extracting(at..<(end ?? chunk.byteCount))
      stream.receive(piece, &reader, floor)
      offset += UInt64(piece.byteCount)
      guard let end else { return }
      endLine(floor)
      offset += 1
      (start, number, at) = (offset, number + 1, end + 1)
    }
  }

  public mutating func finish(_ floor: any Floor) {
    // A line may lack its end.
    stream.finish(&reader, floor)
    if stream.isWhole || stream.damage != nil {
      endLine(floor)
    } else if !stream.isEmpty {
      floor.finding(
        Finding(
          .exportTruncated, .warning, place.origin(start, record: number),
          "the NDJSON ends at \(place.byte(offset)), inside a line, which is not read"))
    }
    run.finish(floor)
  }

  private mutating func endLine(_ floor: any Floor) {
    defer { stream.restart() }
    let line = reader.take()
    let origin = place.origin(start, record: number, line.time?.instant ?? .unknown)
    if stream.isEmpty { return }
    guard stream.isWhole else {
      let reason = stream.damage?.reason ?? "it ends too early"
      floor.finding(
        Finding(
          .exportDamaged, .warning, place.origin(start, record: number),
          "line \(number), at \(place.byte(start)), is no line of NDJSON: \(reason)"))
      return
    }
    run.take(line, origin, floor)
  }
}
