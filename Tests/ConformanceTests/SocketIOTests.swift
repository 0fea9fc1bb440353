// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// Packets of Socket.IO come out as the client's library wrote them down.
@Suite(.enabled(if: Captures.areThere, "\(Captures.absence)"))
struct SocketIOTests {
  /// What one packet must be reported as.
  struct Wanted: Equatable {
    var name: String
    var body: Value
  }

  /// Reads the record: one row for each packet that a library sent or received.
  struct Record {
    private(set) var wanted: [String: [Wanted]] = [:]
    /// A packet of each direction that waits for attachments: the text and what has come.
    private var pending: [String: (text: String, due: Int, have: [String])] = [:]

    mutating func add(_ row: Value) throws {
      let direction = row["dir"]?.text == "tx" ? "toServer" : "toClient"
      guard let wire = row["wire"] else { return }
      if let bytes = wire["$bytes"]?.text {
        var held = try #require(pending[direction])
        held.have.append(bytes)
        pending[direction] = held
        if held.have.count == held.due { try finish(direction, held) }
        return
      }
      let text = try #require(wire.text)
      if let dash = text.firstIndex(of: "-"), text.hasPrefix("45") || text.hasPrefix("46"),
        let due = Int(text[text.index(text.startIndex, offsetBy: 2)..<dash])
      {
        let rest = text.prefix(2) + text[text.index(after: dash)...]
        pending[direction] = (String(rest), due, [])
        return
      }
      try add(text, direction)
    }

    private mutating func finish(
      _ direction: String, _ held: (text: String, due: Int, have: [String])
    ) throws {
      var text = held.text
      for (number, bytes) in held.have.enumerated() {
        text = text.replacingOccurrences(
          of: #"{"_placeholder":true,"num":\#(number)}"#, with: #"{"base64":"\#(bytes)"}"#)
      }
      pending[direction] = nil
      try add(text, direction)
    }

    private mutating func add(_ text: String, _ direction: String) throws {
      let names = ["OPEN", "CLOSE", "PING", "PONG", "", "UPGRADE", "NOOP"]
      let kinds = [
        "CONNECT", "DISCONNECT", "EVENT", "ACK", "CONNECT_ERROR", "BINARY_EVENT", "BINARY_ACK",
      ]
      let digits = text.prefix(2).compactMap(\.wholeNumberValue)
      let body: Value
      let name: String
      if digits[0] != 4 {
        name = names[digits[0]]
        let rest = String(text.dropFirst())
        body = name == "OPEN" ? try ValueReader.read(Array(rest.utf8)) : .string(Array(rest.utf16))
      } else {
        name = kinds[digits[1]]
        var rest = text.dropFirst(2)
        var namespace = "/"
        if rest.hasPrefix("/") {
          namespace = String(rest.prefix { $0 != "," })
          rest = rest.dropFirst(namespace.count + 1)
        }
        rest = rest.drop { $0.isWholeNumber }
        let data = rest.isEmpty ? "" : #","data":\#(rest)"#
        body = try ValueReader.read(Array(#"{"namespace":"\#(namespace)"\#(data)}"#.utf8))
      }
      wanted[direction, default: []].append(Wanted(name: name, body: body))
    }
  }

  static let captures = Captures.all.filter { $0.hasPrefix("socketio-") && $0.hasSuffix(".pcap") }

  @Test(arguments: captures)
  func exact(file: String) throws {
    let decoded = try Decoded(capture: file)
    let path = try #require(Captures.truth(file.prefix { $0 != "." } + ".client.jsonl"))
    var record = Record()
    for line in try Captures.lines(of: path) { try record.add(ValueReader.read(line)) }
    #expect(record.wanted.count == 2)
    for (direction, packets) in record.wanted {
      var wanted = packets
      // The library wrote down what it still meant to send when it closed the WebSocket.
      if direction == "toServer" {
        wanted.removeAll { $0.name == "DISCONNECT" || $0.name == "CLOSE" }
      }
      let reported = decoded.messages.filter {
        $0.direction == direction && ["engineio", "socketio"].contains($0.dialect)
      }.map { Wanted(name: $0.name, body: $0.body) }
      #expect(reported == wanted, "\(direction)")
    }
    #expect(decoded.payload.captured == decoded.payload.accounted)
    // Both sessions: the first begins with polling and goes on over a WebSocket.
    #expect(decoded.connections.count == 2)
    #expect(decoded.findings.filter { $0 != "socketio.connect-refused" } == [])
  }

  @Test func acksAnswerTheirEvents() throws {
    let decoded = try Decoded(capture: "socketio-upgrade.pcap")
    let acks = decoded.messages.filter { $0.name == "ACK" }
    #expect(acks.count == 3)
    for ack in acks {
      let event = try #require(decoded.messages.first { $0.index == ack.answers })
      #expect(["EVENT", "BINARY_EVENT"].contains(event.name))
      #expect(event.subject == ack.subject)
      #expect(ack.latency ?? 0 > 0)
    }
  }
}
