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
  /// Bytes at the beginning that must have nothing but events; if these are many, the first
  /// `BrowserEventReader.first` of them must.
  private static let window = 16 * step

  private let place: Place
  private var lines = BrowserEventLines()
  private var reader: BrowserEventReader

  init(_ place: Place, limits: Limits) {
    (self.place, reader) = (place, BrowserEventReader(place, limits))
  }

  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    let look = Look(at: head, isAll: isAll)
    // Where a program prints other things, too, it is a log: these may be messages.
    if look.hasOthers { return .no }
    if look.reader.claim == .undecided && isAll { return .no }
    return look.reader.claim == .yes && !look.isEnough ? .undecided : look.reader.claim
  }

  /// An event that is not of the Network domain may be followed by one that is.
  static func isUnfinished(_ head: RawSpan) -> Bool {
    let look = Look(at: head, isAll: false)
    return look.reader.claim == .undecided && look.hasBegun
  }

  /// What the beginning of a text shows, however much of it is there at once.
  private struct Look {
    var reader = BrowserEventReader(Place(input: 0), Limits())
    /// A line or a record near the beginning is none of an event.
    var hasOthers = false
    /// The text goes on behind what decides.
    let isEnough: Bool
    let hasBegun: Bool

    init(at head: RawSpan, isAll: Bool) {
      var lines = BrowserEventLines()
      let sink = NullSink()
      for start in stride(from: 0, to: head.byteCount, by: step) where reader.claim != .no {
        if start == window { hasOthers = reader.hasOthers }
        let end = min(start + step, head.byteCount)
        lines.receive(head.extracting(start..<end), &reader, sink)
      }
      if isAll { lines.finish(&reader, sink) }
      if head.byteCount <= window { hasOthers = reader.hasOthers }
      isEnough = isAll || head.byteCount >= window || reader.texts >= BrowserEventReader.first
      hasBegun = reader.records > 0 || lines.isInRecord
    }
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
