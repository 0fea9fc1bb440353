// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// Evidence that was compressed or encoded inside of other evidence. Its kind is recognised by its
/// first bytes, like that of a file.
public struct Unwrapped {
  private let place: Place
  private let limits: Limits
  /// It is text: a log, unless another kind claims it.
  private let isText: Bool
  /// Bytes held until its kind is known.
  private var head = Scratch()
  private var input: (any Input)?
  /// Bytes at the beginning of `head` that `settle` has tried to recognise in vain.
  private var lookedAt = 0
  /// It is of no kind that we read; further bytes are only counted.
  public private(set) var isUnknown = false
  /// Bytes received so far.
  public private(set) var count: UInt64 = 0

  /// - Parameter place: the place of what contains it.
  public init(
    of name: StaticString, in place: Place, _ limits: Limits, isText: Bool = false
  ) {
    var inside = place.inside(isDecoded: isText)
    // The user's choice of input named the container, not its content.
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

  /// Offset at which the waiting bytes begin: what is not recognised yet and has come since
  /// `settle` tried last.
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

  /// Receives all of a text, and empties it.
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
