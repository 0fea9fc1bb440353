// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// STOMP comes out as its clients wrote it down: each frame with its headers and its body.
@Suite(.enabled(if: Captures.areThere, "\(Captures.absence)"))
struct STOMPTests {
  @Test(arguments: [("stomp-basic.pcap", 40), ("stomp-heartbeat.pcap", 15)])
  func exact(file: String, count: Int) throws {
    let decoded = try Decoded(capture: file)
    let path = try #require(Captures.truth(Record.base(file) + ".client.jsonl"))
    var wanted: [String: [Value]] = [:]
    for line in try Captures.lines(of: path) {
      let row = try ValueReader.read(line)
      guard let session = row["sess"]?.text, let dir = row["dir"]?.text, row["cmd"]?.text != nil
      else { continue }
      wanted[session + dir, default: []].append(row)
    }
    let frames = decoded.data.filter { $0.dialect == "stomp" }
    #expect(frames.count == count)
    // Sessions are told apart by the order of their connections.
    let sessions = Set(wanted.keys.map { $0.dropLast(2) }).sorted()
    var compared = 0
    for (place, session) in sessions.enumerated() {
      for (dir, direction) in [("tx", "toServer"), ("rx", "toClient")] {
        let reported = frames.filter { $0.connection == place + 1 && $0.direction == direction }
        let rows = wanted[session + dir] ?? []
        #expect(reported.map(\.name) == rows.map { ($0["cmd"]?.text ?? "").uppercased() })
        for (frame, row) in zip(reported, rows) {
          compared += 1
          if frame.name == "HEARTBEAT" { continue }
          // stomp.py writes down what it sends ahead of asking for heart-beats, and escaped.
          var headers = Self.headers(frame.body)
          var wanted = Self.headers(of: row)
          if dir == "tx" { wanted = wanted.mapValues(Self.unescaped) }
          if wanted["heart-beat"] == nil { headers["heart-beat"] = nil }
          #expect(headers == wanted, "message \(frame.index)")
          #expect(frame.body["body"]?.text == row["body"]?.text, "message \(frame.index)")
        }
      }
    }
    #expect(compared == count)
    #expect(decoded.payload.captured == decoded.payload.accounted)
  }

  private static func unescaped(_ value: String) -> String {
    let parts = value.components(separatedBy: "\\\\")
    return parts.map {
      $0.replacingOccurrences(of: "\\c", with: ":").replacingOccurrences(of: "\\n", with: "\n")
    }.joined(separator: "\\")
  }

  /// Without the length, which stomp.py adds later.
  private static func headers(of row: Value) -> [String: String] {
    guard case .object(let members)? = row["headers"] else { return [:] }
    var headers: [String: String] = [:]
    for member in members {
      headers[String(decoding: member.key, as: UTF16.self)] = member.value.text
    }
    headers["content-length"] = nil
    return headers
  }

  private static func headers(_ body: Value) -> [String: String] {
    guard case .array(let pairs)? = body["headers"] else { return [:] }
    var headers: [String: String] = [:]
    for pair in pairs {
      guard case .array(let both) = pair, both.count == 2, let name = both[0].text else { continue }
      if headers[name] == nil { headers[name] = both[1].text }
    }
    headers["content-length"] = nil
    return headers
  }
}
