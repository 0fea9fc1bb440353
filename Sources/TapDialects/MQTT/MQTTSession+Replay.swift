// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

extension MQTTSession {
  /// Reports a packet from this program's own output.
  mutating func replay(_ text: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    if reportEnd(text, delivery, listener) || reportDrop(text, delivery, listener) { return }
    if level == 0, Self.hasProperties(text) { level = MQTTLevel.v5 }
    guard let body = replay.read(text, level: level) else {
      return UnclaimedLayer.report(
        text, delivery, mayHoldSecrets: true, carrier: "websocket", listener)
    }
    let type = replay.packet.type
    if type == .connect { level = replay.packet.level }
    var message = Message("mqtt", Symbol(type?.name ?? "RESERVED"), delivery.origin)
    message.traits = replay.shown.traits
    if isNarrated { message.traits.insert(.isNarrated) }
    message.subject = replay.shown.subject
    message.reason = replay.shown.failure
    message.payload = replay.shown.payload
    Self.declare(replay.packet, &message)
    declareUnnumbered(replay.packet, &message)
    declareReplayed(text[body], &message)
    if type == .connect { loggedWill = text[body][replay.packet.willTopic].copied() }
    if type == .subscribe { keepFilters(message.first.key, text[body]) }
    if type == .suback { reportReplayedFilters(message.first.key, listener) }
    listener.message(message, text[body], replay.shown.notes.span)
  }

  /// Whether the body has properties, which only MQTT 5 has.
  private static func hasProperties(_ text: RawSpan) -> Bool {
    guard let body = JSON.value(of: "body", in: ByteRange(0, text.byteCount), text) else {
      return false
    }
    return JSON.value(of: "properties", in: body.range, text) != nil
  }

  /// The filters of a replayed SUBSCRIBE are the subject of its answer.
  mutating func reportReplayedFilters(_ key: UInt64, _ listener: any Listener) {
    guard let filters = replayedFilters.removeValue(forKey: key) else { return }
    listener.subject(filters.span.bytes)
  }

  /// Declares the link between a message and its deliveries, from the JSON.
  private func declareReplayed(_ body: RawSpan, _ message: inout Message) {
    let packet = replay.packet
    if packet.type == .connect, packet.hasWill {
      Self.declareDelivery(.sends, body[packet.willTopic], body[packet.willPayload], &message)
    }
    guard packet.type == .publish, !replay.shown.subject.isEmpty else { return }
    let topic = body[replay.shown.subject]
    let isDown = message.origin.direction == .toClient
    Self.declareDelivery(isDown ? .delivers : .sends, topic, body[packet.payload], &message)
    Self.declareRequest(packet.properties, topic, body, &message)
  }

  /// Keeps several filters, as the subject of the answer.
  private mutating func keepFilters(_ key: UInt64, _ body: RawSpan) {
    if replayedFilters.count >= 1024 { return }
    var filters: [UInt8] = []
    var count = 0
    for note in replay.shown.notes where note.word.equals("filters") {
      if count > 0 { filters += Array(", ".utf8) }
      filters += JSON.unescaped(body[note.range])
      count += 1
    }
    if count > 1 && filters.count < 4096 { replayedFilters[key] = filters }
  }
}
