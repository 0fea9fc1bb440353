// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Evidence that was compressed, or written in another encoding: once enough of it is there, its
/// kind is told by its first bytes, as that of a file is.
struct Unwrapped {
  private let place: Place
  private let limits: Limits
  /// It is text: what no other kind claims is a log.
  private let isText: Bool
  /// What has come while its kind is not known.
  private var head = Scratch()
  private var input: (any Input)?
  /// Bytes of it that were taken for all that comes, in vain.
  private var lookedAt = 0
  /// No kind of evidence: what follows is only counted.
  private(set) var isUnknown = false
  /// Bytes that have come.
  private(set) var count: UInt64 = 0

  /// - Parameter place: of what it is inside of.
  init(
    of name: StaticString, in place: Place, _ limits: Limits, isText: Bool = false
  ) {
    var choice = place.choice
    // What was said of the wrapping says nothing of what is in it.
    if choice.input == name.description { choice.input = nil }
    self.place = Place(
      input: place.input, depth: place.depth + 1, isDecoded: isText, choice: choice)
    (self.limits, self.isText) = (limits, isText)
  }

  mutating func receive(_ bytes: RawSpan, isAll: Bool = false, _ sink: any EvidenceSink) {
    count += UInt64(bytes.byteCount)
    if input != nil {
      input?.receive(bytes, sink)
      return
    }
    if isUnknown { return }
    head.append(bytes)
    switch Inputs.recognise(head.bytes, isAll: isAll, place, limits) {
    case .needMore: return
    case .unknown where isText: decode(as: LogInput(place, limits: limits), sink)
    case .unknown:
      isUnknown = true
      head = Scratch()
    case .input(let found): decode(as: found, sink)
    }
  }

  private mutating func decode(as found: any Input, _ sink: any EvidenceSink) {
    let held = head
    head = Scratch()
    input = found
    input!.receive(held.bytes, sink)
  }

  /// Where what waits begins: that which is not recognised, from where it was looked at for the
  /// last time.
  var waiting: UInt64? {
    input.map(\.waiting) ?? (head.count > lookedAt ? UInt64(lookedAt) : nil)
  }

  var isCapture: Bool { input?.isCapture ?? false }

  mutating func settle(_ sink: any EvidenceSink) {
    if input == nil {
      lookedAt = head.count
      if case .input(let found) = Inputs.recognise(linesOf: head.bytes, place, limits) {
        decode(as: found, sink)
      }
    }
    input?.settle(sink)
  }

  /// All of a text, which is empty then.
  mutating func take(_ text: inout Scratch, _ sink: any EvidenceSink) {
    if text.isEmpty { return }
    var ready = Scratch()
    swap(&ready, &text)
    receive(ready.bytes, sink)
    ready.removeAll()
    ready.shrink(above: 1 << 20)
    swap(&ready, &text)
  }

  mutating func finish(_ sink: any EvidenceSink) {
    if input == nil {
      let nothing = Scratch()
      receive(nothing.bytes, isAll: true, sink)
    }
    input?.finish(sink)
  }
}
