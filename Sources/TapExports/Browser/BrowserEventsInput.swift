// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Events of the Network domain of the Chrome DevTools Protocol, which say what pages sent and
/// received over WebSocket: Selenium's performance log, or what a script was told by the browser.
/// They stand in a list, or each on lines of its own.
struct BrowserEventsInput: InputKind {
  static let name: StaticString = "browser-events"

  /// Bytes of a head that are looked at before it is asked whether they are enough.
  private static let step = 4096

  private let place: Place
  private var lines = BrowserEventLines()
  private var reader: BrowserEventReader

  init(_ place: Place, limits: Limits) {
    (self.place, reader) = (place, BrowserEventReader(place, limits))
  }

  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    let (claim, _) = look(at: head, isAll: isAll)
    return claim == .undecided && isAll ? .no : claim
  }

  /// An event that is not of the Network domain may be followed by one that is.
  static func isUnfinished(_ head: RawSpan) -> Bool {
    let (claim, hasBegun) = look(at: head, isAll: false)
    return claim == .undecided && hasBegun
  }

  private static func look(
    at head: RawSpan, isAll: Bool
  ) -> (claim: InputClaim, hasBegun: Bool) {
    var lines = BrowserEventLines()
    var reader = BrowserEventReader(Place(input: 0), Limits())
    let sink = NullSink()
    for start in stride(from: 0, to: head.byteCount, by: step) {
      let end = min(start + step, head.byteCount)
      lines.receive(head.extracting(start..<end), &reader, sink)
      if reader.claim == .no { break }
    }
    if isAll { lines.finish(&reader, sink) }
    // Where a program prints other things, too, it is a log: these may be messages.
    let claim = reader.hasOthers ? .no : reader.claim
    return (claim, reader.records > 0 || lines.isInRecord)
  }

  mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    lines.receive(chunk, &reader, sink)
  }

  mutating func finish(_ sink: any EvidenceSink) {
    lines.finish(&reader, sink)
    reader.finish(sink)
  }

  var waiting: UInt64? { reader.waiting }
  mutating func settle(_ sink: any EvidenceSink) { reader.release(sink) }
}
