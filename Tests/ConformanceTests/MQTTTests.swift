// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// Captures of MQTT against what their endpoints wrote down.
@Suite("MQTT", .enabled(if: Captures.areThere, "\(Captures.absence)"))
struct MQTTTests {
  /// A packet as one side of one client sent it.
  private struct Packet: Equatable, CustomStringConvertible {
    var name: String
    var id: Int?
    var topic: String?
    var payload: String?

    var description: String { "\(name) \(id ?? 0) \(topic ?? "") \(payload ?? "")" }
  }

  /// What is reported of each client, by its identifier and direction.
  private func reported(
    _ file: String, hasNotesOnly: Bool = true
  ) throws -> [String: [Packet]] {
    var clients: [Int: String] = [:]
    var packets: [String: [Packet]] = [:]
    let folder = URL(filePath: Captures.path(""))
    let output = try Program.run(["-o", "ndjson", file], in: folder).output
    for line in output.split(separator: "\n") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      if object["event"] as? String == "finding", hasNotesOnly {
        #expect(object["severity"] as? String == "note", "\(line)")
      }
      guard object["protocol"] as? String == "mqtt" else { continue }
      let connection = try #require(object["connection"] as? Int)
      let body = try #require(object["body"] as? [String: Any])
      if let client = body["clientId"] as? String { clients[connection] = client }
      let isUp = object["direction"] as? String == "toServer"
      let key = "\(clients[connection] ?? "?") \(isUp ? "tx" : "rx")"
      packets[key, default: []].append(
        Packet(
          name: object["name"] as? String ?? "", id: (object["ids"] as? [String: Int])?["packet"],
          topic: body["topic"] as? String, payload: body["payload"] as? String))
    }
    return packets
  }

  private func rows(_ name: String) throws -> [[String: Any]] {
    let path = try #require(Captures.truth(name))
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return try text.split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
  }

  /// The bytes of each packet, as the client's library wrote them down, read by hand.
  @Test("every packet of mosquitto and paho") func mosquitto() throws {
    var written: [String: [Packet]] = [:]
    for row in try rows("mqtt-ws-mosquitto-v311.client.jsonl") {
      let key = "\(row["sess"] as? String ?? "") \(row["dir"] as? String ?? "")"
      guard let hex = row["hex"] as? String else {
        // The record left out the bytes of the largest packet.
        #expect(row["packet"] as? String == "PUBLISH")
        written[key, default: []].append(
          Packet(
            name: "PUBLISH", id: 6, topic: "big/blob",
            payload: String(repeating: "\0\u{1}", count: 5000)))
        continue
      }
      let digits = Array(hex.utf8)
      let bytes = stride(from: 0, to: digits.count - 1, by: 2).map {
        UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)!
      }
      let name = row["packet"] as? String ?? ""
      var packet = Packet(name: name)
      let length = try #require(bytes.dropFirst().firstIndex { $0 < 0x80 })
      let body = Array(bytes[(length + 1)...])
      if name == "PUBLISH" {
        let end = 2 + Int(body[0]) << 8 + Int(body[1])
        packet.topic = String(decoding: body[2..<end], as: UTF8.self)
        let qos = bytes[0] >> 1 & 3
        if qos > 0 { packet.id = Int(body[end]) << 8 | Int(body[end + 1]) }
        packet.payload = String(decoding: body[(end + (qos > 0 ? 2 : 0))...], as: UTF8.self)
      } else if name.hasPrefix("PUB") || name.contains("SUB") {
        packet.id = Int(body[0]) << 8 | Int(body[1])
      }
      written[key, default: []].append(packet)
    }
    #expect(written.values.map(\.count).reduce(0, +) == 33)
    #expect(try reported("mqtt-ws-mosquitto-v311.pcap") == written)
  }

  /// Packets that take several messages each; the record lacks CONNECT.
  @Test("every packet of MQTT.js") func mqttjs() throws {
    var written: [String: [Packet]] = ["js-a tx": [Packet(name: "CONNECT")]]
    for row in try rows("mqtt-ws-mqttjs.client.jsonl") {
      let object = row["obj"] as? [String: Any] ?? [:]
      var packet = Packet(name: row["packet"] as? String ?? "")
      packet.id = (object["messageId"] as? Int).flatMap { $0 == 0 ? nil : $0 }
      if packet.name == "PUBLISH" {
        packet.topic = object["topic"] as? String
        packet.payload = object["payload"] as? String
        if let bytes = (object["payload"] as? [String: Any])?["data"] as? [UInt8] {
          packet.payload = String(decoding: bytes, as: UTF8.self)
        }
      }
      let key = "\(row["sess"] as? String ?? "") \(row["dir"] as? String ?? "")"
      written[key, default: []].append(packet)
    }
    let found = try reported("mqtt-ws-mqttjs.pcap")
    #expect(found["js-a tx"] == written["js-a tx"])
    #expect(found["js-a rx"] == written["js-a rx"])
    #expect(found.values.map(\.count).reduce(0, +) == 23)
  }

  /// What the log of the broker says of two clients, and what was captured of them. It has neither
  /// payloads nor the identifiers of what subscribes.
  @Test("the log of mosquitto names the packets that were captured") func log() throws {
    func comparable(_ packets: [Packet]) -> [Packet] {
      packets.map {
        Packet(name: $0.name, id: $0.name.contains("SUB") ? nil : $0.id, topic: $0.topic)
      }
    }
    let captured = try reported("mqtt-ws-mosquitto-v311.pcap")
    let logged = try reported("../logs/mosquitto-verbose.log", hasNotesOnly: false)
    for client in ["sub-1 tx", "sub-1 rx", "pub-1 tx", "pub-1 rx"] {
      let wanted = comparable(captured[client] ?? [])
      #expect(wanted.count > 5 && comparable(logged[client] ?? []) == wanted, "\(client)")
    }
  }
}
