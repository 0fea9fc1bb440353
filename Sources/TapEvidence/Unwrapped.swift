// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// Evidence that was compressed, or written in another encoding: once enough of it is there, its
/// kind is told by its first bytes, as that of a file is.
public struct Unwrapped {
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
  public private(set) var isUnknown = false
  /// Bytes that have come.
  public private(set) var count: UInt64 = 0

  /// - Parameter place: of what it is inside of.
  public init(
    of name: StaticString, in place: Place, _ limits: Limits, isText: Bool = false
  ) {
    var inside = place.inside(isDecoded: isText)
    // What was said of the wrapping says nothing of what is in it.
    if inside.choice.input == name.description { inside.choice.input = nil }
    self.place = inside
    (self.limits, self.isText) = (limits, isText)
  }

  public mutating func receive(_ bytes: RawSpan, isAll: Bool = false, _ sink: any EvidenceSink) {
    count += UInt64(bytes.byteCount)
    if input != nil {
      input?.receive(bytes, sink)
      return
    }
    if isUnknown { return }
    head.append(bytes)
    switch place.registry?.recognise(head.bytes, isAll: isAll, place, limits) ?? .unknown {
    case .needMore: return
    case .unknown:
      if isText, let text = place.registry?.text(place, limits) { return decode(as: text, sink) }
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
  public var waiting: UInt64? {
    input.map(\.waiting) ?? (head.count > lookedAt ? UInt64(lookedAt) : nil)
  }

  public var isCapture: Bool { input?.isCapture ?? false }

  public mutating func settle(_ sink: any EvidenceSink) {
    if input == nil {
      lookedAt = head.count
      if case .input(let found)? = place.registry?.recognise(linesOf: head.bytes, place, limits) {
        decode(as: found, sink)
      }
    }
    input?.settle(sink)
  }

  /// All of a text, which is empty then.
  public mutating func take(_ text: inout Scratch, _ sink: any EvidenceSink) {
    if text.isEmpty { return }
    var ready = Scratch()
    swap(&ready, &text)
    receive(ready.bytes, sink)
    ready.removeAll()
    ready.shrink(above: 1 << 20)
    swap(&ready, &text)
  }

  public mutating func finish(_ sink: any EvidenceSink) {
    if input == nil {
      let nothing = Scratch()
      receive(nothing.bytes, isAll: true, sink)
    }
    input?.finish(sink)
  }
}
