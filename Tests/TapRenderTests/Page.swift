// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapRender
import TapTraffic

/// A renderer, and what it wrote.
struct Page {
  var renderer: any Renderer
  private var index: UInt64 = 0
  /// Messages that it shows.
  private(set) var shown = 0

  init(_ renderer: any Renderer) { self.renderer = renderer }

  mutating func message(
    _ json: String, _ name: StaticString, _ links: [Link] = [], subject: String = "",
    reason: String = "", payload: [String] = [], facts: [(StaticString, String)] = [],
    about: StaticString = "", traits: Message.Traits = [.isText, .isJSON, .isCompact, .isPlain],
    at time: Int64? = nil, precision: UInt8 = 6, direction: Direction = .toServer,
    connection: UInt32 = 1, latency: Int64 = -1, answers: UInt64 = 0, record: UInt64 = 0,
    dialect: StaticString = "wamp"
  ) -> String {
    let bytes = Array(json.utf8)
    return message(
      bytes, name, links, subject: subject, reason: reason, payload: payload, facts: facts,
      about: about, traits: traits, at: time, precision: precision, direction: direction,
      connection: connection, latency: latency, answers: answers, record: record, dialect: dialect)
  }

  mutating func message(
    _ bytes: [UInt8], _ name: StaticString, _ links: [Link] = [], subject: String = "",
    reason: String = "", payload: [String] = [], facts: [(StaticString, String)] = [],
    about: StaticString = "", traits: Message.Traits = [], at time: Int64? = nil,
    precision: UInt8 = 6, direction: Direction = .toServer, connection: UInt32 = 1,
    latency: Int64 = -1, answers: UInt64 = 0, record: UInt64 = 0, dialect: StaticString = "wamp",
    payloadRange: ByteRange? = nil
  ) -> String {
    func range(_ text: String) -> ByteRange {
      let wanted = Array(text.utf8)
      guard !wanted.isEmpty else { return ByteRange() }
      let start = bytes.indices.last { bytes[$0...].starts(with: wanted) }!
      return ByteRange(start, start + wanted.count)
    }
    var message = Message(
      dialect, Symbol(name),
      Origin(
        time: time.map { Instant(nanoseconds: $0) } ?? .unknown, record: record,
        direction: direction, precision: precision))
    message.first = links.first ?? .none
    message.second = links.dropFirst().first ?? .none
    (message.about, message.traits) = (about, traits)
    message.reason = range(reason)
    message.payload = payloadRange ?? payload.first.map(range) ?? ByteRange()
    message.keywords = payload.dropFirst().first.map(range) ?? ByteRange()
    let notes = ContiguousArray(facts.map { Note(.fact, Symbol($0.0), range($0.1)) })
    index += 1
    var joined = Joined(index: index)
    (joined.connection, joined.latency, joined.answers) = (connection, latency, answers)
    let about = Array(subject.utf8)
    var text = TextBuffer(capacity: 0)
    let isShown = renderer.message(
      message, joined, bytes.span.bytes, notes.span, subject: about.span.bytes, into: &text)
    if isShown { shown += 1 }
    return string(text)
  }

  mutating func write(_ body: (inout any Renderer, inout TextBuffer) -> Void) -> String {
    var text = TextBuffer(capacity: 0)
    body(&renderer, &text)
    return string(text)
  }

  private func string(_ text: borrowing TextBuffer) -> String {
    String(decoding: text.bytes.copied(), as: Unicode.UTF8.self)
  }
}

func link(_ word: StaticString, _ key: UInt64, _ role: Link.Role = .opens) -> Link {
  Link(role, word, key, space: 1)
}

func chat(url: String = "ws://chat.example:8080/ws") -> Opening {
  var opening = Opening(
    .webSocket, client: Endpoint(address: [10, 0, 0, 7], port: 51_234),
    server: Endpoint(address: [10, 1, 0, 1], port: 8080), isFromStart: true)
  opening.url = Array(url.utf8)
  opening.subprotocol = Array("wamp.2.json".utf8)
  opening.extensions = [Array("permessage-deflate".utf8)]
  return opening
}
