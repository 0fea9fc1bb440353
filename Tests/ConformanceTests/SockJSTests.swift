// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// SockJS comes out as its clients wrote it down: each message once, whatever carried it.
@Suite(.enabled(if: Captures.areThere, "\(Captures.absence)"))
struct SockJSTests {
  @Test(arguments: ["sockjs-websocket.pcap", "sockjs-xhr-streaming.pcap"])
  func exact(file: String) throws {
    let decoded = try Decoded(capture: file)
    let path = try #require(Captures.truth(Record.base(file) + ".client.jsonl"))
    var wanted: [String: [String]] = [:]
    for line in try Captures.lines(of: path) {
      let row = try ValueReader.read(line)
      guard let dir = row["dir"]?.text, let text = row["data"]?.text else { continue }
      wanted[dir == "tx" ? "toServer" : "toClient", default: []].append(text)
    }
    #expect(wanted.values.map(\.count).sorted() == [7, 10])
    for (direction, texts) in wanted {
      let reported = decoded.data.filter {
        $0.direction == direction && ["MESSAGE", "JSON"].contains($0.name)
      }
      #expect(reported.count == texts.count)
      for (message, text) in zip(reported, texts) {
        // What is JSON has a body of JSON.
        let isText = message.name == "MESSAGE"
        let body = isText ? Value.string(Array(text.utf16)) : try ValueReader.read(Array(text.utf8))
        #expect(message.body == body, "message \(message.index)")
      }
    }
    let names = decoded.messages.filter { $0.dialect == "sockjs" }.map(\.name)
    #expect(names.first == "OPEN" && names.last == "CLOSE")
    #expect(decoded.findings == ["sockjs.session-closed"])
  }

  @Test func carriesSTOMP() throws {
    let decoded = try Decoded(capture: "stomp-over-sockjs-websocket.pcap")
    let path = try #require(Captures.truth("stomp-over-sockjs-websocket.client.jsonl"))
    for (dir, direction) in [("tx", "toServer"), ("rx", "toClient")] {
      let rows = try Captures.lines(of: path).map { try ValueReader.read($0) }.filter {
        $0["dir"]?.text == dir && $0["cmd"]?.text != nil
      }
      let reported = decoded.messages.filter { $0.dialect == "stomp" && $0.direction == direction }
      #expect(reported.map(\.name) == rows.compactMap { $0["cmd"]?.text })
      #expect(reported.map { $0.body["body"]?.text } == rows.map { $0["body"]?.text })
    }
  }
}
