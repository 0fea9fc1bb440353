// SPDX-License-Identifier: Apache-2.0
import TapTesting
import Testing

/// JSON-RPC and the JSON of applications come out as their endpoints wrote them down.
@Suite(.enabled(if: Captures.areThere, "\(Captures.absence)"))
struct JSONTests {
  @Test(arguments: [
    ("jsonrpc2-ws.pcap", 20), ("jsonqa-binary.pcap", 12), ("ndjson-raw-tcp.pcap", 16),
  ])
  func exact(file: String, count: Int) throws {
    let decoded = try Decoded(capture: file)
    let path = try #require(Captures.truth(Record.base(file) + ".client.jsonl"))
    var wanted: [String: [Value]] = [:]
    for line in try Captures.lines(of: path) {
      let row = try ValueReader.read(line)
      // What either end received: what was sent as no JSON, the sender has not written down.
      guard row["dir"]?.text == "rx", let data = row["data"] else { continue }
      let direction = row["ep"]?.text == "server" ? "toServer" : "toClient"
      // What is no JSON is reported as the text that it is, a batch as its messages.
      if let text = data["$notjson"] {
        wanted[direction, default: []].append(text)
      } else if case .array(let messages) = data {
        wanted[direction, default: []] += messages
      } else {
        wanted[direction, default: []].append(data)
      }
    }
    #expect(decoded.data.count == count)
    for (direction, bodies) in wanted {
      let reported = decoded.data.filter { $0.direction == direction }.map(\.body)
      #expect(reported == bodies, "\(direction)")
    }
    #expect(decoded.connections.count == 1)
    #expect(decoded.payload.captured == decoded.payload.accounted)
  }
}
