// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fuzzing
import TapBytes
import TapEncodings
import TapEvidence
import TapHTTP
import TapInputs
import TapInspector
import TapRender
import TapTraffic
import TapTransport
import TapWebSocket

// Seeds <samples> <corpus>: converts each sample to the input format of each target.
guard CommandLine.arguments.count == 3 else {
  FileHandle.standardError.write(Data("usage: Seeds <samples> <corpus>\n".utf8))
  exit(64)
}
let samples = URL(filePath: CommandLine.arguments[1]).resolvingSymlinksInPath()
let corpus = URL(filePath: CommandLine.arguments[2])

func write(_ bytes: [UInt8], to target: String, _ name: String) throws {
  let folder = corpus.appending(path: target)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  try Data(bytes).write(to: folder.appending(path: name))
}

/// Records the data between the layers of the stack, by connection.
final class Tap: EvidenceSink, Listener, Chooser {
  var streams: [(script: StreamScript.Writer, frames: StreamScript.Writer)] = []
  var messages: [[UInt8]] = []
  /// By subprotocol, in the format of WAMPFuzz, for serializers other than plain JSON.
  var serialized: [String: [UInt8]] = [:]
  private var transport: Transport?

  func packet(_ bytes: RawSpan, _ packet: Packet) {
    if transport == nil { transport = Transport(chooser: self) }
    transport?.receive(bytes, packet, self)
  }

  func finish() { transport?.finish(self) }

  func message(_ bytes: RawSpan, _ delivery: Delivery) { messages.append(bytes.copied()) }
  func finding(_: Finding) {}
  func context(_: RawSpan, _: ContextLine) {}
  func opened(_: Opening, _: Delivery) {}
  func message(_: Message, _ bytes: RawSpan, _: Span<Note>) {}
  func closed(_: Closing, _: Delivery) {}
  func account(_: Fate, _: Int) {}
  func count(_: Counter, _: Int) {}

  func layer(for opening: Opening) -> any Layer {
    switch opening.carrier {
    // Never opened here, as their layers are not chosen below.
    case .rawSocket, .http, .sockJS: return NullLayer()
    case .webSocket:
      return Wire(
        tap: self, stream: streams.count - 1, isFrames: true,
        inner: WebSocketLayer(
          opening, carrying: Messages(tap: self, opening), limits: Limits(),
          isFromStart: opening.isFromStart))
    case .stream:
      streams.append((StreamScript.Writer(), StreamScript.Writer()))
      // HTTP that gives up calls this too, and must not get HTTP again.
      if !opening.isFromStart { return NullLayer() }
      return Wire(
        tap: self, stream: streams.count - 1, isFrames: false,
        inner: HTTPLayer(opening, self, limits: Limits()))
    }
  }
}

/// Records what it passes on.
struct Wire: Layer {
  let tap: Tap
  let stream: Int
  let isFrames: Bool
  var inner: any Layer

  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    if isFrames {
      tap.streams[stream].frames.append(bytes, delivery.origin.direction)
    } else {
      tap.streams[stream].script.append(bytes, delivery.origin.direction)
    }
    inner.receive(bytes, delivery, listener)
  }

  mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    inner.gap(missing, delivery, listener)
  }

  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    inner.finish(ending, delivery, listener)
  }

  var settlement: Settlement { .notYet }
}

struct Messages: Layer {
  let tap: Tap
  let subprotocol: String

  init(tap: Tap, _ opening: Opening) {
    self.tap = tap
    subprotocol = String(decoding: opening.subprotocol, as: Unicode.UTF8.self)
  }

  mutating func receive(_ bytes: RawSpan, _: Delivery, _: any Listener) {
    if subprotocol != "wamp.2.json" && bytes.byteCount < 4096 {
      let length = UInt16(bytes.byteCount)
      let head = [0, UInt8(length >> 8), UInt8(length & 0xFF)]
      tap.serialized[subprotocol, default: []] += head + bytes.copied()
    }
    tap.messages.append(bytes.copied())
  }
  mutating func gap(_: Int?, _: Delivery, _: any Listener) {}
  mutating func finish(_: Ending, _: Delivery, _: any Listener) {}
}

let names = FileManager.default.enumerator(atPath: samples.path)?.allObjects as? [String] ?? []
for path in names.sorted() where path.contains("/input.") {
  let bytes = [UInt8](try Data(contentsOf: samples.appending(path: path)))
  // Skip large samples, which slow the fuzzing down.
  if bytes.count > 64 << 10 { continue }
  let name = path.replacingOccurrences(of: "/", with: "-")
  for mode: UInt8 in [0, 1, 32, 40, 48, 56] {
    try write([mode] + bytes, to: "StackFuzz", "\(mode)-\(name)")
  }
  func seed(inputs target: String, kinds: UInt8 = 1) throws {
    // The first byte chooses one of several inputs.
    for kind in 0..<kinds { try write([kind << 2] + bytes, to: target, "\(kind)-\(name)") }
  }
  if name.hasSuffix("gz") {
    try seed(inputs: "GzipFuzz")
    try write([1] + bytes, to: "InflateFuzz", name)
  } else if name.hasSuffix("pcapng") {
    try seed(inputs: "PcapngFuzz")
  } else if name.hasSuffix("pcap") {
    try seed(inputs: "PcapFuzz")
    for mode: UInt8 in 0..<2 { try write([mode] + bytes, to: "TransportFuzz", "\(mode)-\(name)") }
  } else {
    try seed(inputs: "PasteFuzz")
    try seed(inputs: "LogFuzz")
    try seed(inputs: "DumpFuzz")
    try seed(inputs: "NotationFuzz", kinds: 5)
    try seed(inputs: "ExportFuzz", kinds: 4)
  }
  let tap = Tap()
  if case .input(var input) = Inputs.recognise(
    bytes.span.bytes, isAll: true, input: 0, limits: Limits())
  {
    input.receive(bytes.span.bytes, tap)
    input.finish(tap)
    tap.finish()
  }
  for (index, stream) in tap.streams.prefix(4).enumerated() {
    let isDeflated = path.contains("deflate")
    let made = [stream.script.bytes, stream.frames.bytes].map { Array($0.prefix(8 << 10)) }
    if !made[0].isEmpty {
      let carrier =
        path.hasPrefix("rawsocket/")
        ? "RawSocketFuzz"
        : path.hasPrefix("mqtt/") && made[1].isEmpty
          ? "MQTTFuzz"
          : path.hasPrefix("stomp/") && made[1].isEmpty
            ? "STOMPFuzz" : path.hasPrefix("http2/") ? "HTTP2Fuzz" : "HTTPFuzz"
      try write([0] + made[0], to: carrier, "\(index)-\(name)")
      if path.hasPrefix("sockjs/") || path.hasPrefix("socketio/") {
        try write([0] + made[0], to: "SockJSFuzz", "\(index)-\(name)")
      }
    }
    if !made[1].isEmpty {
      try write([isDeflated ? 4 : 0] + made[1], to: "WebSocketFuzz", "\(index)-\(name)")
    }
  }
  let subprotocols = [
    "wamp.2.msgpack", "wamp.2.cbor", "wamp.2.ubjson", "wamp.2.flatbuffers", "wamp.2.json.batched",
    "wamp.2.msgpack.batched", "wamp.2.cbor.batched",
  ]
  for (index, subprotocol) in subprotocols.enumerated() {
    guard let script = tap.serialized[subprotocol] else { continue }
    // Also without a subprotocol.
    for rest: UInt8 in [0, 2] {
      let mode = UInt8(index + 1) << 5 | rest
      try write(
        [mode] + Array(script.prefix(8 << 10)), to: "WAMPFuzz", "\(mode)-\(name)")
    }
  }
  if let script = tap.serialized["wamp.2.flatbuffers"] {
    var messages: [UInt8] = [0]
    var rest = script[...]
    while rest.popFirst() != nil, rest.count >= 2 {
      let length = Int(rest.first!) << 8 | Int(rest.dropFirst().first!)
      messages += rest.prefix(2 + length)
      rest = rest.dropFirst(2 + length)
    }
    try write(messages, to: "FlatBuffersFuzz", name)
  }
  if tap.messages.isEmpty { continue }
  for (index, message) in tap.messages.prefix(16).enumerated() where message.count < 4096 {
    try write(message, to: "JSONFuzz", "\(index)-\(name)")
  }
  let lines = tap.messages.prefix(32).joined(separator: [0x0A])
  if path.hasPrefix("engineio/") || path.hasPrefix("socketio/") {
    try write([0, 0] + Array(lines.prefix(8 << 10)), to: "SocketIOFuzz", name)
  }
  let version = path.hasPrefix("wampv1/") ? "WAMPv1Fuzz" : "WAMPFuzz"
  try write([0] + Array(lines.prefix(8 << 10)), to: version, name)
  try write([0] + Array(lines.prefix(8 << 10)), to: "PasteFuzz", "lines-" + name)
  for rule in ["com.*\nargs[0].type\nkwargs.text\n100\n", "com..b\n[*]\nuser\ntrue\n"] {
    try write(
      [0] + Array(rule.utf8) + Array(lines.prefix(2 << 10)), to: "NamesFuzz",
      "\(rule.utf8.count)-" + name)
  }
}
// The other mode: every kind of packet, made from orders of eight bytes.
var orders: [UInt8] = [2]
for linkType: UInt8 in 0..<11 {
  orders += [0, linkType, 2, 0, 0, 1, 0, 0, 1, linkType, 18, 0, 0, 1, 0, 0]
  orders += [0, linkType, 24, 40, 0, 1, 0, 0, 0, linkType, 24, 40, 8, 1, 0, 0]
  orders += [16, linkType, 24, 40, 0, 1, 0, 0, 128, linkType, 24, 99, 0, 1, 0, 2]
}
try write(orders, to: "TransportFuzz", "made")
// A handshake, and records of both sides: a lost one, a changed one, and one with other keys.
for suite: UInt8 in 0..<7 {
  let data: [UInt8] = [0, 3, 1, 2, 3, 16, 3, 4, 5, 6]
  let made =
    [7, 0, 7, 0, 7, 0] + data + [64, 2, 1, 1] + data + [9, 2, 1, 1] + data + [4, 0] + data
  for rest: UInt8 in [0, 1, 8] {
    try write([suite << 5 | rest] + made, to: "TLSFuzz", "\(suite)-\(rest)")
  }
}
// Prefaces, a request, its response, and content, some of it lost.
let content: [UInt8] = [0, 0, 1, 3, 1, 2, 3, 16, 0, 1, 3, 4, 5, 6]
let frames =
  [10, 0, 0, 0, 26, 0, 0, 0, 11, 0, 1, 0, 28, 0, 1, 0] + content + [128, 0, 1, 3, 7, 8, 9] + content
try write([1] + frames, to: "HTTP2Fuzz", "made")
// RFC 7692 §7.2.3: a compressed message, the same using the window, and with a final block.
let tail: [UInt8] = [0, 0, 0xFF, 0xFF]
let compressed: [[UInt8]] = [
  [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00], [0xF2, 0x00, 0x11, 0x00, 0x00],
  [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00],
  [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00],
]
let deflated = compressed.flatMap { octets -> [UInt8] in
  [0, UInt8(octets.count + 4)] + octets + tail
}
for mode: UInt8 in [0, 14, 30] {
  try write([mode] + deflated, to: "InflateFuzz", "\(mode)-deflated")
}
// Some of the test vectors of other implementations, after the serializer's byte.
let vectors = samples.deletingLastPathComponent().appending(path: "Tests/Vectors")
for serializer in Serializer.allCases {
  let text = try String(contentsOf: vectors.appending(path: "\(serializer).txt"), encoding: .utf8)
  for (index, line) in text.split(separator: "\n").enumerated() where index % 5 == 0 {
    var octets = [serializer.rawValue]
    var digits = Array(line.prefix { $0 != " " })
    while let high = digits.popLast(), let low = digits.popLast() {
      octets.insert(UInt8(String([low, high]), radix: 16) ?? 0, at: 1)
    }
    try write(octets, to: "TranscoderFuzz", "\(serializer)-\(index)")
  }
}
