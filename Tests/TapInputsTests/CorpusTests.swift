// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapBytes
import TapEvidence
import TapInputs
import TapTesting
import TapTraffic
import Testing

private struct Sidecar: Decodable {
  var packets: Int
  var truncatedPackets: Int?
  var firstTime: String?
  var lastTime: String?

  enum CodingKeys: String, CodingKey {
    case packets
    case truncatedPackets = "truncated_packets"
    case firstTime = "first_time"
    case lastTime = "last_time"
  }
}

@Suite(.enabled(if: !Captures.names.isEmpty, "\(Captures.absence)"))
struct CorpusTests {
  @Test(arguments: Captures.names)
  func asManyPacketsAsTshark(name: String) throws {
    let path = Captures.path(name)
    let json = try Data(contentsOf: URL(filePath: path + ".tshark.json"))
    let sidecar = try JSONDecoder().decode(Sidecar.self, from: json)
    let sink = CountingFloor()
    var input: (any Input)?
    let capture = try Data(contentsOf: URL(filePath: path))
    for start in stride(from: 0, to: capture.count, by: 256 << 10) {
      let octets = [UInt8](capture[start..<min(start + 256 << 10, capture.count)])
      let chunk = octets.span.bytes
      if input == nil {
        let limits = Limits()
        if case .input(let found) = Inputs.recognise(chunk, isAll: true, input: 0, limits: limits) {
          input = found
        }
      }
      input?.receive(chunk, sink)
    }
    input?.finish(sink)
    // tshark does not count a packet that the end of the file cuts; its beginning is given on.
    let isCut = name.hasPrefix("var-cut-file")
    let code = name.hasSuffix("ng") ? "pcapng.truncated" : "pcap.truncated"
    // Two interfaces, whose packets were written as they came.
    let isUnsorted = name == "dumpcap-two-interfaces.pcapng"
    #expect(sink.codes == (isCut ? [code] : []) + (isUnsorted ? ["capture.time-backwards"] : []))
    #expect(sink.count - (isCut ? 1 : 0) == sidecar.packets)
    #expect(sink.cut - (isCut ? 1 : 0) == sidecar.truncatedPackets ?? 0)
    if sidecar.packets > 0 {
      #expect(sink.first == nanoseconds(sidecar.firstTime))
      if !isCut { #expect(sink.last == nanoseconds(sidecar.lastTime)) }
    }
  }

  /// "1795218771.202313000" without a detour through floating point.
  private func nanoseconds(_ text: String?) -> Int64? {
    text.flatMap { Int64($0.filter { $0 != "." }) }
  }
}

private final class CountingFloor: EvidenceSink {
  var count = 0
  /// Packets of which less was captured than was sent.
  var cut = 0
  var first: Int64?
  var last: Int64?
  var codes: [String] = []

  func packet(_ bytes: RawSpan, _ packet: Packet) {
    count += 1
    if bytes.byteCount < Int(packet.originalLength) { cut += 1 }
    if first == nil { first = packet.time.nanoseconds }
    last = packet.time.nanoseconds
  }

  func message(_ bytes: RawSpan, _ delivery: Delivery) {}

  func finding(_ finding: Finding) { codes.append(finding.code.name) }
}
