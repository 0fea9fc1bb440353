// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapInputs
public import TapTraffic

/// Writes down what an input tells, to be compared.
public final class FloorLog: Floor {
  public private(set) var log: [UInt8] = []

  public init() {}

  public func packet(_ bytes: RawSpan, _ packet: Packet) {
    note("packet \(packet.number) \(packet.time.nanoseconds) \(packet.precision)")
    note("\(packet.originalLength) \(packet.linkType) \(packet.input) \(packet.isInterrupted)")
    note(bytes)
  }

  public func message(_ bytes: RawSpan, _ delivery: Delivery) {
    note("message \(delivery.origin.offset) \(delivery.kind.rawValue)")
    note("\(delivery.origin.flow) \(delivery.origin.time.nanoseconds)")
    note(bytes)
  }

  public func control(_ opcode: UInt8, _ payload: RawSpan, _ delivery: Delivery) {
    note("control \(opcode) of \(delivery.origin.flow) \(delivery.origin.direction)")
    note(payload)
  }

  public func opened(_ opening: Opening, _ delivery: Delivery) {
    note("opened \(delivery.origin.flow) \(opening.carrier) \(opening.isFromStart)")
    note(opening.url.span.bytes)
  }

  public func closed(_ closing: Closing, _ delivery: Delivery) {
    note("closed \(delivery.origin.flow) \(closing.code ?? 0)")
  }

  public func stream(_ bytes: RawSpan, _ delivery: Delivery) {
    note("stream \(delivery.origin.offset) \(delivery.origin.direction)")
    note(bytes)
  }

  public func gap(_ missing: Int?, _ delivery: Delivery) {
    note("gap \(missing ?? -1) \(delivery.origin.direction)")
  }

  /// Lists are messages, so that what finds them has something to do.
  public func likeness(of text: RawSpan, _: Delivery.Kind) -> Likeness {
    Likeness(text.byteCount > 12 ? .likely : .possible)
  }

  public func opened(_ opening: Opening, _ delivery: Delivery) {
    note("opened \(delivery.origin.flow) \(opening.isFromStart)")
  }

  public func context(_ words: RawSpan, _: Origin) { note(words) }

  public func endStream(_: Delivery) { note("end of stream") }
  public func recognised(_ what: String, _: Origin) { note("recognised \(what)") }
  public func refuse(_ reason: String, _: Origin) { note("refused \(reason)") }

  public func finding(_ finding: Finding) {
    note("finding \(finding.code.name) \(finding.severity.name)")
    note("\(finding.origin.offset) \(finding.origin.record) \(finding.text)")
  }

  private func note(_ text: String) {
    log += text.utf8
    log.append(0x0A)
  }

  private func note(_ bytes: RawSpan) {
    log += bytes.copied()
    log.append(0x0A)
  }
}

/// Feeds the input whole, cut once, and cut into small pieces: the same must be told.
public func expectSameForCuts(
  of bytes: UnsafeRawBufferPointer, _ make: () -> (any Input)?
) {
  let whole = FloorLog()
  guard var input = make() else { return }
  input.receive(bytes.bytes, whole)
  input.finish(whole)
  guard bytes.count > 1 else { return }
  let seed = hash(bytes)
  let cut = 1 + Int(seed % UInt64(bytes.count - 1))
  let size = 1 + Int(seed >> 32 & 63)
  for step in [0, size] {
    let pieces = FloorLog()
    guard var input = make() else { return }
    var start = 0
    while start < bytes.count {
      let end = step > 0 ? min(start + step, bytes.count) : start < cut ? cut : bytes.count
      lend(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) { input.receive($0, pieces) }
      start = end
    }
    input.finish(pieces)
    if pieces.log != whole.log {
      fail(
        "cut at \(step > 0 ? "every \(step)" : "\(cut)"), another story is told.\nwhole:\n"
          + String(decoding: whole.log, as: Unicode.UTF8.self) + "\ncut:\n"
          + String(decoding: pieces.log, as: Unicode.UTF8.self))
    }
  }
}
