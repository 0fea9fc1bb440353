// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapEncodings
import TapInspector
import TapRawSocket
import TapRender
import TapTraffic
import TapTransport
import TapWebSocket

/// The floors, each measured with nothing above it, and the whole stack with each renderer.
enum Stage: String, CaseIterable {
  case pcap, transport, websocket, rawsocket, json, messagePack, cbor, ubjson, bjdata, wamp
  case wampInMessagePack, wampInCBOR, wampInBJData, joined, text, ndjson

  func measure(_ file: [UInt8], _ evidence: Evidence) -> Result {
    switch self {
    case .pcap: pcap(file, evidence)
    case .transport: transport(evidence)
    case .websocket: webSocket(evidence)
    case .rawsocket: rawSocket(evidence)
    case .json: json(evidence)
    case .messagePack: transcoded(evidence, .messagePack)
    case .cbor: transcoded(evidence, .cbor)
    case .ubjson: transcoded(evidence, .ubjson)
    case .bjdata: transcoded(evidence, .bjdata)
    case .wamp: wamp(evidence)
    case .wampInMessagePack: wamp(evidence, .messagePack, "wamp.2.msgpack")
    case .wampInCBOR: wamp(evidence, .cbor, "wamp.2.cbor")
    case .wampInBJData: wamp(evidence, .bjdata, "wamp.2.ubjson")
    case .joined: whole(file, evidence, NoText())
    case .text: whole(file, evidence, LineRenderer(LineRenderer.Options()))
    case .ndjson: whole(file, evidence, NDJSONRenderer(inputs: ["capture.pcap"]))
    }
  }

  private func pcap(_ file: [UInt8], _ evidence: Evidence) -> Result {
    let counter = PacketCounter()
    var meter = Meter()
    feed(file, counter) { meter.halve(evidence.messages.count / 2) }
    return meter.result(rawValue, messages: evidence.messages.count, bytes: file.count)
  }

  private func transport(_ evidence: Evidence) -> Result {
    let listener = Silence()
    let bytes = evidence.packetBytes
    var meter = Meter()
    var transport = Transport(chooser: NoLayers())
    for (index, (range, packet)) in evidence.packets.enumerated() {
      if index == evidence.packets.count / 2 { meter.halve(evidence.messages.count / 2) }
      transport.receive(bytes.bytes.extracting(range), packet, listener)
    }
    transport.finish(listener)
    return meter.result(
      rawValue, messages: evidence.messages.count, bytes: bytes.count)
  }

  private func webSocket(_ evidence: Evidence) -> Result {
    let listener = Silence()
    let bytes = evidence.streamBytes
    var meter = Meter()
    var layers = evidence.openings.map {
      WebSocketLayer($0, carrying: NullLayer(), limits: Limits())
    }
    for (index, lent) in evidence.streams.enumerated() {
      if index == evidence.streams.count / 2 { meter.halve(evidence.messages.count / 2) }
      layers[lent.number].receive(
        bytes.bytes.extracting(lent.range), lent.delivery, listener)
    }
    return meter.result(
      rawValue, messages: evidence.messages.count, bytes: bytes.count)
  }

  /// The same messages in RawSocket frames, in pieces of the size of a segment.
  private func rawSocket(_ evidence: Evidence) -> Result {
    let listener = Silence()
    var layer = RawSocketLayer(
      Opening(.stream, client: .unknown, server: .unknown, isFromStart: true), NoLayers(),
      limits: Limits())
    for direction in [Direction.toServer, .toClient] {
      let greeting: [UInt8] = [0x7F, 0xF1, 0, 0]
      layer.receive(
        greeting.span.bytes, Delivery(Origin(direction: direction)), listener)
    }
    var frames = Scratch()
    let messages = evidence.messageBytes
    var ends: [Int] = []
    for lent in evidence.messages {
      for shift in [24, 16, 8, 0] as [Int] { frames.append(UInt8(lent.range.count >> shift & 255)) }
      frames.append(messages.bytes.extracting(lent.range))
      if frames.count - (ends.last ?? 0) >= 1400 { ends.append(frames.count) }
    }
    var start = 0
    var meter = Meter()
    for (index, end) in ends.enumerated() {
      if index == ends.count / 2 { meter.halve(evidence.messages.count / 2) }
      layer.receive(
        frames.bytes.extracting(start..<end), Delivery(Origin(direction: .toClient)), listener)
      start = end
    }
    return meter.result(rawValue, messages: evidence.messages.count, bytes: frames.count)
  }

  private func json(_ evidence: Evidence) -> Result {
    let bytes = evidence.messageBytes
    var meter = Meter()
    var scanner = JSONScanner(maximumDepth: 512)
    for (index, lent) in evidence.messages.enumerated() {
      if index == evidence.messages.count / 2 { meter.halve(index) }
      _ = scanner.scan(bytes.bytes.extracting(lent.range))
    }
    return meter.result(
      rawValue, messages: evidence.messages.count, bytes: bytes.count)
  }

  /// Transcoded to JSON, without a scan, as the transcoder provides its result.
  private func transcoded(_ evidence: Evidence, _ serializer: Serializer) -> Result {
    let sent = Reserialized(evidence, serializer)
    let bytes = sent.bytes
    var text = TextBuffer()
    var transcoder = Transcoder(maximumDepth: 512, maximumBytes: 64 << 20)
    var scanner = JSONScanner(maximumDepth: 512)
    var meter = Meter()
    for (index, range) in sent.messages.enumerated() {
      if index == sent.messages.count / 2 { meter.halve(index) }
      text.removeAll()
      let message = bytes.bytes.extracting(range)
      precondition(transcoder.transcode(message, serializer, into: &text) != nil)
      scanner.adopt(transcoder, end: text.count)
    }
    return meter.result(rawValue, messages: sent.messages.count, bytes: bytes.count)
  }

  private func wamp(_ evidence: Evidence) -> Result {
    let listener = Silence()
    let bytes = evidence.messageBytes
    var meter = Meter()
    var layers = evidence.openings.map { WAMPLayer($0, limits: Limits()) }
    for (index, lent) in evidence.messages.enumerated() {
      if index == evidence.messages.count / 2 { meter.halve(index) }
      layers[lent.number].receive(
        bytes.bytes.extracting(lent.range), lent.delivery, listener)
    }
    return meter.result(
      rawValue, messages: evidence.messages.count, bytes: bytes.count)
  }

  /// The same messages in another serializer.
  private func wamp(
    _ evidence: Evidence, _ serializer: Serializer, _ subprotocol: String
  ) -> Result {
    let listener = Silence()
    let sent = Reserialized(evidence, serializer)
    let bytes = sent.bytes
    var meter = Meter()
    var layers = evidence.openings.map { opening in
      var other = opening
      other.subprotocol = Array(subprotocol.utf8)
      return WAMPLayer(other, limits: Limits())
    }
    for (index, lent) in evidence.messages.enumerated() {
      if index == evidence.messages.count / 2 { meter.halve(index) }
      layers[lent.number].receive(
        bytes.bytes.extracting(sent.messages[index]), Delivery(lent.delivery.origin, .binary),
        listener)
    }
    return meter.result(rawValue, messages: evidence.messages.count, bytes: bytes.count)
  }

  private func whole(_ file: [UInt8], _ evidence: Evidence, _ renderer: any Renderer) -> Result {
    var meter = Meter()
    let inspector = Inspector(renderer, Inspector.Options())
    let engine = Drain(inspector)
    feed(file, engine) {
      meter.halve(Int(inspector.summary.messages))
    } late: {
      meter.end(Int(inspector.summary.messages))
    }
    engine.engine.finish()
    return meter.result(
      rawValue, messages: Int(inspector.summary.messages), bytes: file.count)
  }
}

/// Drops the text where the program would write it out.
private final class Drain: EvidenceSink {
  let engine: Engine
  private let inspector: Inspector

  init(_ inspector: Inspector) {
    self.inspector = inspector
    engine = Engine(inspector, limits: Limits())
  }

  func packet(_ bytes: RawSpan, _ packet: Packet) {
    engine.packet(bytes, packet)
    if inspector.textCount >= 64 << 10 { inspector.withText { $0.removeAll() } }
  }
  func message(_ bytes: RawSpan, _ delivery: Delivery) { engine.message(bytes, delivery) }
  func finding(_ finding: Finding) { engine.finding(finding) }
}

private final class PacketCounter: EvidenceSink {
  private(set) var packets = 0
  func packet(_ bytes: RawSpan, _ packet: Packet) { packets += 1 }
  func message(_ bytes: RawSpan, _ delivery: Delivery) {}
  func finding(_ finding: Finding) {}
}

private final class NoLayers: Chooser {
  func layer(for opening: Opening) -> any Layer { NullLayer() }
}

private struct NoText: Renderer {
  mutating func opened(
    _: Opening, connection: UInt32, _: Delivery, into: inout TextBuffer
  ) {}
  mutating func message(_: Message, _: MessageView, into: inout TextBuffer) -> Bool { true }
  mutating func finding(
    _: Finding, connection: UInt32, messages: [UInt64], into: inout TextBuffer
  ) {}
  mutating func closed(
    _: Closing, connection: UInt32, _: Delivery, into: inout TextBuffer
  ) {}
  mutating func summary(_: Summary, into: inout TextBuffer) {}
}
