// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// A message as tests of renderers say it, and what is known beside it.
struct TestMessage {
  let name: StaticString
  var bytes: [UInt8]
  var links: [Link]
  var traits: Message.Traits
  var dialect: StaticString = "wamp"
  var subject = ""
  var reason = ""
  /// The payload as it stands in the message, and the keywords.
  var payload: [String] = []
  /// In place of `payload`.
  var payloadRange: ByteRange?
  var facts: [(StaticString, String)] = []
  var ids: [(StaticString, String)] = []
  var about: StaticString = ""
  var record: UInt64 = 0
  var direction = Direction.toServer
  /// In nanoseconds; nil where it is not known.
  var time: Int64?
  var precision: UInt8 = 6
  var connection: UInt32 = 1
  var session: UInt16 = 0
  var latency: Int64 = -1
  var answers: UInt64 = 0

  init(
    _ bytes: [UInt8], _ name: StaticString, _ links: [Link] = [], traits: Message.Traits = []
  ) {
    (self.bytes, self.name, self.links, self.traits) = (bytes, name, links, traits)
  }

  /// The message as its dialect reports it.
  var message: Message {
    var message = Message(
      dialect, Symbol(name),
      Origin(
        time: time.map { Instant(nanoseconds: $0) } ?? .unknown, record: record,
        direction: direction, precision: precision))
    message.first = links.first ?? .none
    message.second = links.dropFirst().first ?? .none
    (message.about, message.traits, message.session) = (about, traits, session)
    message.reason = range(reason)
    message.payload = payloadRange ?? payload.first.map(range) ?? ByteRange()
    message.keywords = payload.dropFirst().first.map(range) ?? ByteRange()
    return message
  }

  var notes: ContiguousArray<Note> {
    ContiguousArray(
      facts.map { Note(.fact, Symbol($0.0), range($0.1)) }
        + ids.map { Note(.id, Symbol($0.0), range($0.1)) })
  }

  func joined(index: UInt64) -> Joined {
    var joined = Joined(index: index)
    (joined.connection, joined.latency, joined.answers) = (connection, latency, answers)
    return joined
  }

  /// Where a text stands last in the message.
  private func range(_ text: String) -> ByteRange {
    let wanted = Array(text.utf8)
    guard !wanted.isEmpty else { return ByteRange() }
    let start = bytes.indices.last { bytes[$0...].starts(with: wanted) }!
    return ByteRange(start, start + wanted.count)
  }
}
