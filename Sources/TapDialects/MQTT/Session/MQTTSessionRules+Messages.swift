// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Checks messages and subscriptions against the limits of each side.
extension MQTTSessionRules {
  mutating func look(
    publish packet: MQTTPacket, _ topic: RawSpan, matched: UInt8?, _ origin: Origin,
    _ listener: any Listener
  ) {
    if packet.id != nil {
      let other = origin.isFromClient ? server : client
      exchanges.open(
        packet, packet.qos == 1 ? .puback : .pubrec, taken: other.receiveMaximum, origin,
        &context, listener)
    }
    if packet.isV5 { judgeV5(packet, origin, listener) }
    if !origin.isFromClient {
      guard let matched else {
        return judgeDelivery(unmatched: topic, qos: packet.qos, origin, listener)
      }
      if packet.qos > matched { judgeQoS(packet.qos, above: matched, topic, origin, listener) }
      return
    }
    if !availability.isComplete { availability.judge(publish: packet, origin, context, listener) }
  }

  private func judgeV5(_ packet: MQTTPacket, _ origin: Origin, _ listener: any Listener) {
    let isFromClient = origin.isFromClient
    let alias = packet.properties.alias
    let most = isFromClient ? server.aliasMaximum : client.aliasMaximum
    if alias > most, context.knowsAll, isFromClient ? context.hasConnack : context.hasConnect {
      context.report(
        .mqttAliasTooLarge, .error, origin,
        "topic alias \(alias) is above \(most), the most that the other side takes",
        MQTTRule("", isFromClient ? "3.3.2-9" : "3.3.2-11"), listener)
    }
    if isFromClient && packet.properties.has(.subscriptionIdentifier) {
      context.report(
        .mqttPropertyInvalid, .error, origin,
        "subscriptionIdentifier is not allowed in a PUBLISH of the client",
        MQTTRule("", "3.3.4-6"), listener)
    }
  }

  /// A message is delivered with the QoS that was granted at best. One that matches a filter of
  /// before may have been on its way.
  private func judgeQoS(
    _ qos: UInt8, above granted: UInt8, _ topic: RawSpan, _ origin: Origin,
    _ listener: any Listener
  ) {
    guard context.knowsAll, context.hasConnect, context.hasConnack, !context.goesOn,
      !subscriptions.areIncomplete, subscriptions.lastEnded(matching: topic) == nil
    else { return }
    context.report(
      .mqttQoSAboveGranted, .error, origin,
      "a message of QoS \(qos), and no filter that it matches was granted more than QoS \(granted)",
      MQTTRule("3.8.4-6", "3.8.4-8"), listener)
  }

  /// A delivered message must match a filter of the session.
  private func judgeDelivery(
    unmatched topic: RawSpan, qos: UInt8, _ origin: Origin, _ listener: any Listener
  ) {
    // What the client sent may be missing before that is known.
    guard context.knowsAll, context.hasConnect, context.hasConnack, !context.goesOn else { return }
    if subscriptions.areIncomplete || topic.isEmpty { return }
    guard let ended = subscriptions.lastEnded(matching: topic) else {
      return context.report(
        .mqttDeliveryUnmatched, .warning, origin,
        "the topic matches no filter of this session", MQTTRule("3.3.2-3"), listener)
    }
    let filter = "“\(MQTTFault.quoted(ended.filter.span.bytes))”"
    let late = origin.time.nanoseconds(since: ended.time) ?? 0
    // A message of QoS 1 or 2 may have been on its way for long (§3.10.4).
    if qos > 0 || late <= Self.deliveredLate {
      return context.report(
        .mqttDeliveryUnmatched, .note, origin,
        "\(filter) was unsubscribed: the server may still deliver what it held", .none, listener)
    }
    context.report(
      .mqttDeliveryUnmatched, .warning, origin,
      "\(filter) was unsubscribed \(MQTTKeepAliveRules.seconds(late)) before, and the topic matches"
        + " no other filter of this session", MQTTRule("3.3.2-3"), listener)
  }

  /// How long after UNSUBACK a message may come that the server had sent already, in nanoseconds.
  private static let deliveredLate: Int64 = 1_000_000_000

  func reportTooLarge(
    _ packet: MQTTPacket, _ most: Int, _ origin: Origin, _ listener: any Listener
  ) {
    guard context.knowsAll else { return }
    context.report(
      .mqttPacketTooLarge, .error, origin,
      "the packet has \(packet.length) bytes, and the other side takes \(most)",
      MQTTRule("", origin.isFromClient ? "3.2.2-15" : "3.1.2-24"), listener)
  }

  mutating func look(
    subscribe packet: MQTTPacket, _ type: MQTTType,
    _ filters: borrowing ContiguousArray<MQTTFilter>, _ bytes: RawSpan, _ origin: Origin,
    _ listener: any Listener
  ) {
    guard let id = packet.id, id != 0 else { return }
    let isNew = exchanges.open(
      packet, type == .subscribe ? .suback : .unsuback, filters: filters.count, origin, &context,
      listener)
    if !isNew { return }
    if type == .unsubscribe { return subscriptions.ask(toEnd: filters, with: id, bytes) }
    if !availability.isComplete {
      for index in filters.indices {
        availability.judge(bytes[filters[index].range], of: packet, origin, context, listener)
      }
    }
    subscriptions.ask(id, for: filters, bytes)
  }
}
