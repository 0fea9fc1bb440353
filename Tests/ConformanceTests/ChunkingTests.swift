// SPDX-License-Identifier: Apache-2.0
import TapRender
import TapTesting
import Testing

/// How a file is cut into chunks changes nothing of what is reported.
@Suite(.enabled(if: Captures.areThere, "\(Captures.absence)"))
struct ChunkingTests {
  @Test(arguments: [
    "wamp-rpc-basic.pcap", "wamp-fragmented.pcap", "wamp-deflate-takeover.pcap",
    "wamp-rawsocket-json.pcap",
    "net-loss-clientside.pcap", "var-lost-packets.pcap", "var-midstream-no-handshake.pcap",
    "net-snaplen96.pcap", "var-cut-file.pcapng", "var-format-bigendian.pcap",
    "tls13-json-dsb.pcapng", "ws-over-http2-rfc8441-dsb.pcapng", "dumpcap-two-interfaces.pcapng",
    "var-gzip.pcap.gz", "var-gzip.pcapng.gz",
  ])
  func randomCuts(file: String) throws {
    let bytes = try Captures.bytes(of: Captures.path(file))
    let whole = Decoded.render([bytes], file)
    #expect(!whole.isEmpty)
    for seed in 1...4 {
      var random = Seeded(UInt64(seed))
      var pieces: [[UInt8]] = []
      var start = 0
      let longest = [3, 40, 1500, 20_000][seed - 1]
      while start < bytes.count {
        let end = min(start + Int.random(in: 0...longest, using: &random), bytes.count)
        pieces.append(Array(bytes[start..<end]))
        start = end
      }
      #expect(Decoded.render(pieces, file) == whole, "seed \(seed)")
    }
  }

  /// Nor does how much is decoded ahead of what is shown.
  @Test(arguments: Captures.all) func decodingAhead(file: String) throws {
    let bytes = try Captures.bytes(of: Captures.path(file))
    let keyLog = try Captures.keyLog(of: file)
    func render(_ buffer: Int?) -> [UInt8] {
      let renderer = LineRenderer(LineRenderer.Options())
      return Decoded.render(
        [bytes], renderer, keyLog: keyLog, ordersByTime: true, buffer: buffer)
    }
    let whole = render(nil)
    #expect(render(0) == whole)
    #expect(render(5000) == whole)
  }
}
