// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapLibraries

/// A message event of NDJSON, as the contract describes it.
struct NDJSONMessage {
  var index: Int
  var connection: Int
  var direction: String
  var dialect: String
  var name: String
  var subject: String?
  var answers: Int?
  var carries: Int?
  /// Nanoseconds.
  var latency: Int64?
  var latencyAtMost: Int64?
  var body: Value
  /// The text of `body`.
  var bodyText: [UInt8]
  var raw: Value?
  /// Of a log, the line.
  var packet: Int
  /// Nanoseconds since 1970.
  var time: Int64?

  init(_ members: [(key: String, value: Value, text: [UInt8])]) throws {
    let event = Value.object(
      members.map { Value.Member(key: Array($0.key.utf16), value: $0.value) })
    guard let index = event["index"]?.int, let connection = event["connection"]?.int,
      let direction = event["direction"]?.text, let dialect = event["protocol"]?.text,
      let name = event["name"]?.text,
      let packet = event["origin"]?["packet"]?.int ?? event["origin"]?["line"]?.int,
      let body = members.first(where: { $0.key == "body" })
    else { throw ContractBroken(event: event) }
    (self.index, self.connection, self.direction) = (index, connection, direction)
    (self.dialect, self.name, self.packet) = (dialect, name, packet)
    (self.body, bodyText) = (body.value, body.text)
    subject = event["subject"]?.text
    answers = event["answers"]?.int
    carries = event["carries"]?.int
    latency = event["latency"]?.nanoseconds
    latencyAtMost = event["latencyAtMost"]?.nanoseconds
    raw = event["raw"]
    time = event["time"]?.text.flatMap(Self.nanoseconds)
  }

  struct ContractBroken: Error {
    var event: Value
  }

  /// A frame that is no message of the application.
  var isControl: Bool {
    ["websocket", "rawsocket"].contains(dialect) && ["PING", "PONG", "CLOSE"].contains(name)
  }

  /// The message as it was sent, but for white space between the tokens of JSON.
  var octets: [UInt8] {
    let shown = body == .null ? raw ?? body : body
    if shown.isArray { return bodyText }
    if let base64 = shown["base64"]?.text { return [UInt8](Data(base64Encoded: base64) ?? Data()) }
    return Array((shown.text ?? "").utf8)
  }

  /// Pieces of it are not known: “·” stands for each byte of them.
  var isPartial: Bool { body == .null && raw?.text?.contains("·") == true }

  /// Whether what is known of a partial message is what was sent.
  func fits(_ sent: [UInt8]) -> Bool {
    let (reported, unknown) = (octets, Array("·".utf8))
    var (at, place) = (0, 0)
    while at < reported.count && place < sent.count {
      if reported[at...].starts(with: unknown) {
        at += unknown.count
      } else {
        if reported[at] != sent[place] { return false }
        at += 1
      }
      place += 1
    }
    return at == reported.count && place == sent.count
  }

  /// What was sent, read as JSON; nil when it is none.
  var sent: Value? { body.isArray ? body : try? ValueReader.read(octets) }

  var sha1: String {
    HashFunction.sha1.digest(of: Array(octets))
      .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// RFC 3339 in UTC, to the nanosecond.
  static func nanoseconds(_ text: String) -> Int64? {
    guard text.hasSuffix("Z") else { return nil }
    let halves = text.dropLast().split(separator: ".")
    guard let whole = try? Date.ISO8601FormatStyle().parse(halves[0] + "Z") else { return nil }
    let fraction = halves.count > 1 ? String(halves[1]) : ""
    let padded = fraction + String(repeating: "0", count: max(0, 9 - fraction.count))
    return Int64(padded).map { Int64(whole.timeIntervalSince1970) * 1_000_000_000 + $0 }
  }

  var line: String {
    let start = String(decoding: bodyText.prefix(200), as: UTF8.self)
    return "#\(index) packet \(packet) \(direction) \(start)"
  }
}
