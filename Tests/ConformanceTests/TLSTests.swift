// SPDX-License-Identifier: Apache-2.0
import TapTesting
import Testing

/// What goes over TLS and HTTP/2 comes out as its endpoints wrote it down, given the secrets.
@Suite(.enabled(if: Captures.areThere, "\(Captures.absence)"))
struct TLSTests {
  @Test func browser() throws {
    let decoded = try Decoded(capture: "browser-netlog-bytes-wss.pcap")
    let record = try #require(try Record("browser-netlog-bytes-wss", side: "router"))
    let pairing = Pairing(decoded, record)
    #expect(pairing.complaints == [])
    #expect(pairing.pairs.count == 49)
    #expect(decoded.payload.captured == decoded.payload.accounted)
  }

  /// Extended CONNECT, as the developer tools of the browser saw it.
  @Test(arguments: ["ws-over-http2-rfc8441.pcap", "ws-over-http2-rfc8441-dsb.pcapng"])
  func http2(file: String) throws {
    let decoded = try Decoded(capture: file)
    var wanted: [String: [String]] = [:]
    let path = try #require(Captures.truth(Record.base(file) + ".client.jsonl"))
    for line in try Captures.lines(of: path) {
      let row = try ValueReader.read(line)
      let direction: String
      switch row["method"]?.text {
      case "Network.webSocketFrameSent": direction = "toServer"
      case "Network.webSocketFrameReceived": direction = "toClient"
      default: continue
      }
      let response = row["params"]?["response"]
      guard let data = response?["payloadData"]?.text,
        let opcode = response?["opcode"]?.int, opcode == 1 || opcode == 2
      else { continue }
      wanted[direction, default: []].append(data)
    }
    #expect(wanted.values.reduce(0) { $0 + $1.count } >= 11)
    for (direction, texts) in wanted {
      let reported = decoded.data.filter { $0.direction == direction }
      #expect(reported.count == texts.count)
      for (message, text) in zip(reported, texts) {
        if message.body.text != nil || message.body["base64"] != nil {
          #expect((message.body.text ?? message.body["base64"]?.text) == text, "\(direction)")
        } else {
          #expect(try message.body == ValueReader.read(Array(text.utf8)), "\(direction)")
        }
      }
    }
    #expect(decoded.connections.count == 1)
    #expect(decoded.payload.captured == decoded.payload.accounted)
  }

  /// A hello says which secret fits; without it, the secrets that there are show by opening.
  @Test func midstream() throws {
    let bytes = try Captures.bytes(of: Captures.path("tls13-midstream-no-handshake.pcap"))
    let keyLog = try Captures.keyLog(of: "tls13-json.pcap")
    let decoded = try Decoded([bytes], keyLog: keyLog)
    let record = try #require(try Record("tls13-json", side: "router"))
    #expect(Pairing.strangers(in: decoded, record) == [])
    #expect(decoded.data.count >= 40)
    #expect(decoded.payload.captured == decoded.payload.accounted)
    let closed = try Decoded([bytes])
    #expect(closed.messages.isEmpty)
    #expect(closed.findings.contains("tls.handshake-missing"))
    #expect(closed.payload.captured == closed.payload.accounted)
  }

  @Test func withoutSecrets() throws {
    let bytes = try Captures.bytes(of: Captures.path("tls13-json.pcap"))
    let closed = try Decoded([bytes])
    #expect(closed.findings.filter { $0 == "tls.no-secrets" }.count == 2)
    #expect(closed.summary["counts"]?["streamsTLS"]?.int == 2)
    let partial = try Decoded(
      [bytes], keyLog: Captures.bytes(of: Captures.path("tls13-json.partial.keys")))
    #expect(partial.findings.filter { $0 == "tls.key-missing" }.count == 1)
    #expect(partial.connections.count == 1)
    for decoded in [closed, partial] {
      #expect(decoded.payload.captured == decoded.payload.accounted)
    }
  }
}
