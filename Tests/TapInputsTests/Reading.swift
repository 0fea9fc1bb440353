// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapBytes
import TapEvidence
import TapInputs
import TapTesting
import TapTraffic

/// The samples of logs.
let logSamples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().appending(path: "samples/logs")

/// Recognises and reads a file that arrives in pieces, as the main loop does. A line of its own
/// says when nothing was recognised.
func read(
  _ pieces: [[UInt8]], limits: Limits = Limits(),
  recogniser: @escaping @Sendable () -> any TextRecogniser = { NoTextRecogniser() }
) -> (sink: SinkRecorder, kind: String) {
  let sink = SinkRecorder()
  var choice = InputChoice()
  choice.recogniser = recogniser
  choice.earlierFinding = { code in
    EarlierFinding(
      isRepeatable: code.hasPrefix("wamp."),
      isLoss: [
        "tcp.gap", "tcp.midstream", "tls.handshake-missing", "websocket.context-lost",
        "websocket.handshake-missing", "sockjs.body-incomplete",
      ].contains(code))
  }
  var input: (any Input)?
  var head = Scratch()
  for (index, piece) in (pieces + [[]]).enumerated() {
    let isAll = index == pieces.count
    let piece = ContiguousArray(piece)
    if input == nil {
      head.append(piece.span.bytes)
      switch Inputs.recognise(head.bytes, isAll: isAll, input: 3, limits: limits, choice: choice) {
      case .needMore: continue
      case .unknown: return (sink, "unknown")
      case .input(var found):
        found.receive(head.bytes, sink)
        input = found
      }
    } else {
      input?.receive(piece.span.bytes, sink)
    }
  }
  input?.finish(sink)
  return (sink, input.map { kind(of: $0) } ?? "none")
}

/// What `--input` calls the kind of an input.
func kind(of input: any Input) -> String {
  (type(of: input) as? any InputKind.Type).map { "\($0.name)" } ?? "none"
}

/// The same for what may be lists of messages, which all that end are.
func read(text pieces: [[UInt8]]) -> (sink: SinkRecorder, kind: String) {
  read(pieces) { WholeLists() }
}

/// What begins and ends as a list is a message.
private final class WholeLists: TextRecogniser {
  func recognise(_ text: RawSpan, _ kind: Delivery.Kind) -> Recognition {
    let isList = text.byteCount > 1 && text.byte(at: 0) == 0x5B
    return isList && text.byte(at: text.byteCount - 1) == 0x5D ? Recognition(.likely) : .none
  }
}

func read(_ file: [UInt8]) -> SinkRecorder { read([file]).sink }

/// Packets of sizes that matter: none, odd ones, and one larger than the rest together.
let somePackets: [CaptureBuilder.Timed] = [
  (1_700_000_000_123_456_789, Array("first".utf8)),
  (1_700_000_000_123_456_999, []),
  (1_700_000_001_000_000_001, [UInt8](repeating: 7, count: 90)),
  (1_700_000_002_999_999_999, [1]),
]

/// One file of every shape that the inputs read.
let everyShape: [(name: String, file: [UInt8])] = {
  var shapes: [(name: String, file: [UInt8])] = []
  for bigEndian in [false, true] {
    let end = bigEndian ? "big" : "little"
    for nanoseconds in [false, true] {
      shapes.append(
        (
          "pcap \(end) \(nanoseconds)",
          CaptureBuilder.pcap(
            packets: somePackets, nanoseconds: nanoseconds, bigEndian: bigEndian)
        ))
    }
    shapes.append(
      (
        "kuznetzov \(end)",
        CaptureBuilder.pcap(packets: somePackets, bigEndian: bigEndian, isKuznetzov: true)
      ))
    shapes.append(
      ("pcapng \(end)", CaptureBuilder.pcapng(packets: somePackets, bigEndian: bigEndian)))
    shapes.append(("rich \(end)", richPcapng(bigEndian: bigEndian).bytes))
  }
  for shape in shapes { shapes.append(("gzip \(shape.name)", CaptureBuilder.gzip(shape.file))) }
  shapes.append(("har", Exports.har))
  shapes.append(("flow", Exports.flow))
  shapes.append(("netlog", Exports.netLog))
  shapes.append(("ndjson", Exports.ndjson))
  shapes.append(("browser", Exports.browserEvents))
  shapes.append(("docker", Collected.docker))
  shapes.append(("journal", Collected.journal))
  shapes.append(("collected", Collected.lines))
  shapes.append(("records", Collected.records))
  shapes.append(("paste", Array("\u{FEFF} [1,\"a]\\\"\"],\n[2,[3]] x [4]\n[5]".utf8)))
  let text = "2026-11-20T23:34:50Z sent [36,1,{},[\"é 😀\"]]\r\nno message\r\n"
  for end in ["little", "big"] {
    let file = UTF16InputTests.octets(text, isLittle: end == "little")
    shapes.append(("utf-16 \(end)", file))
  }
  return shapes
}()

/// Two sections of different byte order, several interfaces, and blocks that are passed over.
func richPcapng(bigEndian: Bool) -> PcapngBuilder {
  var file = PcapngBuilder(bigEndian: bigEndian)
  file.interface(linkType: 1, snaplen: 4, resolution: 6)
  file.interface(linkType: 276, resolution: 9, offset: 1_000_000_000)
  file.block(10, [1, 2, 3, 4, 5])
  file.packet([1, 2, 3], ticks: 1_700_000_000_000_001, comment: "a comment")
  file.packet([4, 5, 6, 7], ticks: 700_000_000_000_002_003, interface: 1, original: 60)
  file.block(4, [UInt8](repeating: 0, count: 40))
  file.simplePacket([1, 2, 3, 4], original: 9)
  file.block(0x0BAD, [0, 0, 0, 1, 2])
  file.obsoletePacket([9], ticks: 1_700_000_000_000_003)
  file.section(bigEndian: !bigEndian)
  file.interface(linkType: 101)
  file.block(0x7777, [])
  file.packet([8], ticks: 1_700_000_000_000_005)
  file.block(5, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  return file
}
