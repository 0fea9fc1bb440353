// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapCaptures
import TapEvidence
import TapHTTP
import TapInspector
import TapTraffic
import TapTransport
import TapWebSocket

/// The input of each floor, recorded in one run of the whole stack.
final class Evidence {
  struct Lent {
    var range: Range<Int>
    var delivery: Delivery
    var number: Int
  }

  /// Packets, with the range of each in `packetBytes`.
  fileprivate(set) var packets: [(range: Range<Int>, packet: Packet)] = []
  fileprivate(set) var packetBytes = Scratch()
  /// WebSocket connections, in order of opening.
  fileprivate(set) var openings: [Opening] = []
  /// The bytes of each after the upgrade.
  fileprivate(set) var streams: [Lent] = []
  fileprivate(set) var streamBytes = Scratch()
  /// Messages.
  fileprivate(set) var messages: [Lent] = []
  fileprivate(set) var messageBytes = Scratch()

  init(_ file: [UInt8]) {
    let taker = PacketTaker(self)
    feed(file, taker) {}
    let listener = Silence()
    var transport = Transport(chooser: StreamTaker(self))
    let captured = packetBytes
    for (range, packet) in packets {
      transport.receive(captured.bytes.extracting(range), packet, listener)
    }
    transport.finish(listener)
    var layers: [WebSocketLayer] = []
    for (number, opening) in openings.enumerated() {
      let taker = MessageTaker(evidence: self, number: number)
      layers.append(WebSocketLayer(opening, carrying: taker, limits: Limits()))
    }
    let streamed = streamBytes
    for lent in streams {
      layers[lent.number].receive(streamed.bytes.extracting(lent.range), lent.delivery, listener)
    }
  }
}

/// Feeds a capture to a floor in chunks, like the program does.
///
/// - Parameters:
///   - halfway: called after half of the capture.
///   - late: called after three quarters of it.
func feed(
  _ file: [UInt8], _ sink: any EvidenceSink, halfway: () -> Void, late: () -> Void = {}
) {
  let chunkBytes = 256 << 10
  var input = PcapInput(Place(input: 0), limits: Limits())
  var start = 0
  let quarter = file.count / 4
  var quarters = 2
  while start < file.count {
    if start >= quarter * quarters && quarters < 4 {
      if quarters == 2 { halfway() } else { late() }
      quarters += 1
    }
    let end = min(start + chunkBytes, file.count)
    input.receive(file.span.bytes.extracting(start..<end), sink)
    start = end
  }
  input.finish(sink)
}

private final class PacketTaker: EvidenceSink {
  private let evidence: Evidence
  init(_ evidence: Evidence) { self.evidence = evidence }

  func packet(_ bytes: RawSpan, _ packet: Packet) {
    let start = evidence.packetBytes.count
    evidence.packetBytes.append(bytes)
    evidence.packets.append((start..<evidence.packetBytes.count, packet))
  }
  func message(_ bytes: RawSpan, _ delivery: Delivery) {}
  func finding(_ finding: Finding) {}
}

/// Lets HTTP handle the upgrade, and takes the following bytes.
private final class StreamTaker: Chooser {
  private let evidence: Evidence
  init(_ evidence: Evidence) { self.evidence = evidence }

  func layer(for opening: Opening) -> any Layer {
    if opening.carrier == .stream { return HTTPLayer(opening, self, limits: Limits()) }
    evidence.openings.append(opening)
    return StreamLayer(evidence: evidence, number: evidence.openings.count - 1)
  }
}

private struct StreamLayer: Layer {
  let evidence: Evidence
  let number: Int

  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _: any Listener) {
    let start = evidence.streamBytes.count
    evidence.streamBytes.append(bytes)
    evidence.streams.append(
      Evidence.Lent(range: start..<evidence.streamBytes.count, delivery: delivery, number: number))
  }
  mutating func gap(_: Int?, _: Delivery, _: any Listener) {}
  mutating func finish(_: Ending, _: Delivery, _: any Listener) {}
}

private struct MessageTaker: Layer {
  let evidence: Evidence
  let number: Int

  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _: any Listener) {
    let start = evidence.messageBytes.count
    evidence.messageBytes.append(bytes)
    evidence.messages.append(
      Evidence.Lent(
        range: start..<evidence.messageBytes.count, delivery: delivery, number: number))
  }
  mutating func gap(_: Int?, _: Delivery, _: any Listener) {}
  mutating func finish(_: Ending, _: Delivery, _: any Listener) {}
}

/// A listener that ignores everything.
final class Silence: Listener {
  func opened(_ opening: Opening, _ delivery: Delivery) {}
  func message(_ message: Message, _ bytes: RawSpan, _ notes: Span<Note>) {}
  func finding(_ finding: Finding) {}
  func closed(_ closing: Closing, _ delivery: Delivery) {}
  func account(_ fate: Fate, _ bytes: Int) {}
  func count(_ thing: Counter, _ amount: Int) {}
}
