// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What was recognised in the streams of an input, in words for people.
struct PastedTally {
  var heads = 0
  /// The evidence tells the sides apart, so frames were not counted.
  var hasSides = false
  /// The dialect that it speaks on bare TCP; empty where that is not the case.
  var dialect: StaticString = ""
  private var toServer = 0
  private var toClient = 0

  /// Serialized messages, and the names of their serializers.
  private var messages = 0
  private var serializers: [String] = []

  /// Counts a message in this serializer; the name is empty where it is not known.
  mutating func add(_ serializer: StaticString) {
    messages += 1
    let name = "\(serializer)"
    if !name.isEmpty && !serializers.contains(name) { serializers.append(name) }
  }

  mutating func add(_ direction: Direction) {
    if direction == .toServer { toServer += 1 } else { toClient += 1 }
  }

  mutating func add(_ other: PastedTally) {
    heads += other.heads
    if other.dialect.utf8CodeUnitCount > 0 { dialect = other.dialect }
    hasSides = hasSides || other.hasSides
    messages += other.messages
    serializers += other.serializers.filter { !serializers.contains($0) }
    toServer += other.toServer
    toClient += other.toClient
  }

  /// "one WebSocket frame, client to server", "one message in CBOR"; empty when there was neither.
  var words: String {
    if dialect.utf8CodeUnitCount > 0 { return "packets of \(dialect)" }
    if hasSides { return "both sides of a stream" }
    var parts: [String] = []
    if heads > 0 { parts.append(heads == 1 ? "one HTTP head" : "\(heads) HTTP heads") }
    let frames = toServer + toClient
    if frames > 0 {
      parts.append(frames == 1 ? "one WebSocket frame" : "\(frames) WebSocket frames")
      parts.append(
        toClient == 0
          ? "client to server" : toServer == 0 ? "server to client" : "both directions")
    }
    if messages > 0 {
      let count = messages == 1 ? "one message" : "\(messages) messages"
      let names = serializers.joined(separator: " and ")
      parts.append(names.isEmpty ? count : "\(count) in \(names)")
    }
    return parts.joined(separator: ", ")
  }
}
