// SPDX-License-Identifier: Apache-2.0
import TapTesting
import Testing

/// Every message that real logs print comes out as what the endpoint wrote down, in order, and
/// nothing else does.
@Suite(.enabled(if: Captures.areThere, "\(Captures.absence)"))
struct LogTests {
  @Test(
    arguments: [
      ("autobahn-asyncio-trace.log", "log-autobahn-asyncio-trace", 27, 0),
      ("browser-autobahnjs.console.txt", "browser-autobahnjs", 49, 0),
      ("browser-autobahnjs.chromium-stderr.log", "browser-autobahnjs", 49, 0),
      ("websocket-client-trace.log", "log-websocket-client", 17, 1),
      ("websockets-debug-full-untruncated.log", "log-websockets-long", 26, 4),
      ("mitm-ws-json.mitmdump.txt", "mitm-ws-json", 45, 0),
    ])
  func exact(log: String, truth: String, count: Int, controls: Int) throws {
    let decoded = try decode(log)
    let rows = try rows(truth)
    let messages = withoutControls(decoded)
    #expect(rows.count == count)
    #expect(messages.count == count)
    #expect(decoded.messages.count == count + controls)
    for (reported, row) in zip(messages, rows) {
      #expect(reported.direction == row.direction)
      #expect(reported.body.asPythonReadsIt.isSame(as: row.message), "\(reported.index)")
    }
  }

  @Test("what the logger cut is reported as far as it was printed")
  func cut() throws {
    let decoded = try decode("websockets-debug-plain.log")
    let rows = try rows("log-websockets-plain")
    let messages = withoutControls(decoded)
    #expect(messages.count == rows.count)
    #expect(decoded.findings.count { $0 == "log.abridged" } == 13)
    for (reported, row) in zip(messages, rows) {
      #expect(reported.direction == row.direction)
      if reported.body != .null {
        #expect(reported.body.isSame(as: row.message), "\(reported.index)")
      }
    }
    #expect(messages.count { $0.body == .null } == 13)
  }

  /// Logs of frames have control frames as well, which no endpoint has written down.
  private func withoutControls(_ decoded: Decoded) -> [NDJSONMessage] {
    decoded.messages.filter { !["PING", "PONG", "CLOSE"].contains($0.name) }
  }

  @Test(
    "logs of other things hold no message",
    arguments: [
      "autobahn-twisted-debug.log", "nginx-access.log",
    ])
  func nothing(log: String) throws {
    #expect(try decode(log).messages.isEmpty)
  }

  @Test("a log that names packets gives the same however it is cut")
  func cuts() throws {
    let log = try Captures.bytes(of: (Captures.root ?? "") + "/logs/mosquitto-verbose.log")
    let whole = Decoded.render([log], "log")
    for size in [1, 7, 64, 1000] {
      let pieces = stride(from: 0, to: log.count, by: size).map {
        Array(log[$0..<min($0 + size, log.count)])
      }
      #expect(Decoded.render(pieces, "log") == whole)
    }
  }

  @Test("a log of python-socketio has the events that the server wrote down")
  func socketIO() throws {
    let events = try decode("socketio-upgrade.server.log").messages.filter {
      ["EVENT", "BINARY_EVENT"].contains($0.name)
    }
    let path = try #require(Captures.truth("socketio-upgrade.server.jsonl"))
    let rows = try Captures.lines(of: path).map { String(decoding: $0, as: Unicode.UTF8.self) }
    for (way, direction) in [("rx", "toServer"), ("tx", "toClient")] {
      let wanted = rows.count {
        $0.contains(#""dir": "\#(way)""#) && $0.contains(/"wire": "4[25]/)
      }
      #expect(wanted > 5 && events.count { $0.direction == direction } == wanted, "\(direction)")
    }
  }

  @Test("two processes of Crossbar.io in one log are told apart")
  func crossbar() throws {
    let decoded = try decode("crossbar-trace-excerpt.log")
    #expect(decoded.messages.count == 100)
    #expect(decoded.connections.count == 2)
    let names = decoded.messages.map { "\($0.connection) \($0.direction) \($0.name)" }
    #expect(names.count { $0 == "1 toServer REGISTER" } > 40)
    #expect(names.count { $0 == "2 toServer REGISTER" } > 20)
    #expect(!names.contains { $0.hasSuffix("toClient REGISTER") })
  }

  private func decode(_ log: String) throws -> Decoded {
    let path = (Captures.root ?? "") + "/logs/" + log
    return try Decoded([Captures.bytes(of: path)], name: log)
  }

  private func rows(_ name: String) throws -> [Row] {
    let path = try #require(Captures.truth(name + ".client.jsonl"))
    return try Captures.lines(of: path).compactMap {
      Row(try ValueReader.read($0), isClient: true)
    }
  }
}

extension Value {
  /// Equal but for the order of members, which pprint sorts.
  fileprivate func isSame(as other: Value) -> Bool {
    switch (self, other) {
    case (.object(let left), .object(let right)):
      guard left.count == right.count else { return false }
      return left.allSatisfy { member in
        right.contains { $0.key == member.key && $0.value.isSame(as: member.value) }
      }
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
    default: return self == other
    }
  }
}
