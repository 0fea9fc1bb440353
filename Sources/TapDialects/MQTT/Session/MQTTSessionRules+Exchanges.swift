// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Packet identifiers, and what each side said that it takes (MQTT 5.0 §2.2.1, §4.3, §4.9).
extension MQTTSessionRules {
  private static func key(_ id: UInt16, by direction: Direction) -> WideKey {
    let space =
      direction == .toClient ? MQTTSession.Space.byServer : MQTTSession.Space.byClient
    return WideKey(UInt64(space), UInt64(id))
  }

  // MARK: - PUBLISH

  mutating func judgePublish(
    _ packet: MQTTPacket, _ topic: RawSpan, isUp: Bool, _ origin: Origin,
    _ listener: any Listener
  ) {
    if let id = packet.id, id != 0 {
      open(id, packet.qos == 1 ? .puback : .pubrec, packet, origin, listener)
    }
    if packet.isV5 { judgeV5(packet, isUp: isUp, origin, listener) }
    if isUp && unavailable != 0 { judgeAvailable(packet, origin, listener) }
    if !isUp { judgeDelivery(topic, origin, listener) }
  }

  private mutating func open(
    _ id: UInt16, _ step: Exchange.Step, _ packet: MQTTPacket, _ origin: Origin,
    _ listener: any Listener
  ) {
    let key = Self.key(id, by: origin.direction)
    if exchanges.count >= limits.mqttExchanges {
      // What is forgotten may be answered.
      exchanges = IDTable(minimumCapacity: 1)
      if knowsAll { listener.count(.sessionUnwatched, 1) }
      knowsAll = false
    }
    let (_, isNew) = exchanges.insert(Exchange(step: step, origin: origin), for: key)
    let isMessage = step == .puback || step == .pubrec
    if isNew {
      if isMessage { count(isUp: origin.direction == .toServer, origin, listener) }
      return
    }
    if packet.type == .publish && packet.isDuplicate { return }
    exchanges[key] = Exchange(step: step, origin: origin)
    guard knowsAll else { return }
    tell(
      .mqttIDInUse, .error, origin, "packet identifier \(id) is used again while it is open",
      MQTTRule("2.3.1-2", "2.2.1-3"), listener)
  }

  private mutating func count(isUp: Bool, _ origin: Origin, _ listener: any Listener) {
    let most = isUp ? server.receiveMaximum : client.receiveMaximum
    let now: Int
    if isUp {
      client.inFlight += 1
      now = client.inFlight
    } else {
      server.inFlight += 1
      now = server.inFlight
    }
    let hasTold = isUp ? client.hasToldInFlight : server.hasToldInFlight
    guard now > most, knowsAll, connack != nil, !hasTold else { return }
    if isUp { client.hasToldInFlight = true } else { server.hasToldInFlight = true }
    tell(
      .mqttOverReceiveMaximum, .error, origin,
      "\(now) messages of QoS 1 and 2 are open, and the other side takes \(most)",
      isUp ? MQTTRule("", "3.3.4-7") : MQTTRule("", "3.3.4-9"), listener)
  }

  private func judgeV5(
    _ packet: MQTTPacket, isUp: Bool, _ origin: Origin, _ listener: any Listener
  ) {
    let alias = packet.properties.alias
    let most = isUp ? server.aliasMaximum : client.aliasMaximum
    if alias > most, knowsAll, isUp ? connack != nil : connect != nil {
      tell(
        .mqttAliasTooLarge, .error, origin,
        "topic alias \(alias) is above \(most), the most that the other side takes",
        isUp ? MQTTRule("", "3.3.2-9") : MQTTRule("", "3.3.2-11"), listener)
    }
    if isUp && packet.properties.has(.subscriptionIdentifier) {
      tell(
        .mqttPropertyInvalid, .error, origin,
        "subscriptionIdentifier does not belong into a PUBLISH of the client",
        MQTTRule("", "3.3.4-6"), listener)
    }
  }

  private func judgeAvailable(
    _ packet: MQTTPacket, _ origin: Origin, _ listener: any Listener
  ) {
    if packet.qos > maximumQoS {
      tell(
        .mqttNotAvailable, .warning, origin,
        "QoS \(packet.qos), and the server takes \(maximumQoS) at most",
        MQTTRule("", "3.2.2-11"), listener)
    }
    if packet.isRetained && lacks(.retainAvailable) {
      tell(
        .mqttNotAvailable, .warning, origin,
        "RETAIN is set, and the server keeps no retained messages", MQTTRule("", "3.2.2-14"),
        listener)
    }
  }

  private func lacks(_ property: MQTTProperty) -> Bool {
    unavailable & 1 << UInt64(property.rawValue) != 0
  }

  func tellTooLarge(
    _ packet: MQTTPacket, _ most: Int, _ origin: Origin, _ listener: any Listener
  ) {
    guard knowsAll else { return }
    let rule =
      origin.direction == .toServer ? MQTTRule("", "3.2.2-15") : MQTTRule("", "3.1.2-24")
    tell(
      .mqttPacketTooLarge, .error, origin,
      "the packet has \(packet.length) bytes, and the other side takes \(most)", rule, listener)
  }

  /// A message must match a filter of the session; one may come before its SUBACK.
  private func judgeDelivery(_ topic: RawSpan, _ origin: Origin, _ listener: any Listener) {
    if !knowsAll || goesOn || hasForgotten || connack == nil || topic.isEmpty { return }
    for one in subscriptions where MQTTTopic.matches(one.filter.span.bytes, topic) { return }
    tell(
      .mqttDeliveryUnmatched, .warning, origin,
      "the topic matches no filter of this session", MQTTRule("3.3.2-3"), listener)
  }

  // MARK: - Answers

  mutating func judgeReply(
    _ type: MQTTType, _ packet: MQTTPacket, _ origin: Origin, _ listener: any Listener
  ) {
    guard let id = packet.id, id != 0 else { return }
    let isRelease = type == .pubrel
    let asker = isRelease ? origin.direction : origin.direction.reversed
    let key = Self.key(id, by: asker)
    guard let open = exchanges[key], open.step != .suback, open.step != .unsuback else {
      return judgeUnknown(type, packet, id, asker, origin, listener)
    }
    let failed = packet.isV5 && packet.reason >= 0x80
    switch (type, open.step) {
    case (.puback, .puback), (.pubcomp, .pubcomp), (.pubcomp, .pubrel): end(key, asker)
    case (.puback, .pubrec):
      tell(
        .mqttAckWrong, .warning, origin, "PUBACK for a message of QoS 2, which PUBREC answers",
        MQTTRule("4.3.3-2", "4.3.3-8"), listener)
      end(key, asker)
    case (.pubrec, .puback):
      tell(
        .mqttAckWrong, .warning, origin, "PUBREC for a message of QoS 1, which PUBACK answers",
        MQTTRule("4.3.2-2", "4.3.2-4"), listener)
      exchanges[key]?.step = .pubrel
    case (.pubrec, _):
      if failed { end(key, asker) } else { exchanges[key]?.step = .pubrel }
    case (.pubrel, _): exchanges[key]?.step = .pubcomp
    default: end(key, asker)
    }
    if packet.isV5 { judgeReason(type, packet, origin, listener) }
  }

  private mutating func end(_ key: WideKey, _ asker: Direction) {
    _ = exchanges.removeValue(for: key)
    if asker == .toServer {
      client.inFlight = max(0, client.inFlight - 1)
    } else {
      server.inFlight = max(0, server.inFlight - 1)
    }
  }

  private func judgeReason(
    _ type: MQTTType, _ packet: MQTTPacket, _ origin: Origin, _ listener: any Listener
  ) {
    if packet.reason == 0x10 {
      return tell(
        .mqttNoSubscriber, .note, origin, "nobody has subscribed to the topic", .none, listener)
    }
    guard packet.reason >= 0x80, packet.reason != 0x92 else { return }
    tell(
      .mqttAckFailed, .warning, origin,
      "\(type.name) says that it failed: \(MQTTReason.words(packet.reason))", .none, listener)
  }

  /// An answer to nothing that is open, as far as everything is known.
  private mutating func judgeUnknown(
    _ type: MQTTType, _ packet: MQTTPacket, _ id: UInt16, _ asker: Direction, _ origin: Origin,
    _ listener: any Listener
  ) {
    guard knowsAll, !goesOn, connack != nil, packet.reason != 0x92, type != .pubrel else {
      return
    }
    suspect(
      id, asker, origin, "\(type.name) for packet \(id), which is not open", listener)
  }

  private mutating func suspect(
    _ id: UInt16, _ asker: Direction, _ origin: Origin, _ text: String, _ listener: any Listener
  ) {
    if pendingFindings.count >= 64 { return }
    pendingFindings.append(
      PendingFinding(
        finding: Finding(
          .mqttAckUnknown, .warning, origin,
          text + MQTTRule("2.3.1-6", "2.2.1-5").suffix(level: level)),
        id: id, asker: asker))
  }

  // MARK: - Subscriptions

  mutating func look(
    subscribe packet: MQTTPacket, _ type: MQTTType,
    _ filters: borrowing ContiguousArray<MQTTFilter>, _ bytes: RawSpan, _ origin: Origin,
    _ listener: any Listener
  ) {
    guard let id = packet.id, id != 0 else { return }
    let step = type == .subscribe ? Exchange.Step.suback : .unsuback
    open(id, step, packet, origin, listener)
    exchanges[Self.key(id, by: origin.direction)]?.filters = UInt16(clamping: filters.count)
    for index in filters.indices {
      let one = filters[index]
      let filter = bytes[one.range]
      if type == .unsubscribe {
        subscriptions.removeAll { $0.filter.span.bytes.equals(filter) && $0.pending == 0 }
        continue
      }
      if unavailable != 0 { judgeAvailable(filter, packet, origin, listener) }
      if subscriptions.count >= limits.mqttSubscriptions {
        hasForgotten = true
        continue
      }
      subscriptions.append(
        Subscription(filter: filter.copied(), qos: one.qos, pending: id, origin: origin))
    }
  }

  private func judgeAvailable(
    _ filter: RawSpan, _ packet: MQTTPacket, _ origin: Origin, _ listener: any Listener
  ) {
    var lacking: [String] = []
    if filter.starts(with: "$share/") && lacks(.sharedSubscriptionAvailable) {
      lacking.append("shared subscriptions")
    }
    if MQTTTopic.isPattern(filter) && lacks(.wildcardSubscriptionAvailable) {
      lacking.append("wildcards in filters")
    }
    if packet.properties.has(.subscriptionIdentifier) && lacks(.subscriptionIdentifierAvailable) {
      lacking.append("subscription identifiers")
    }
    for one in lacking {
      tell(
        .mqttNotAvailable, .warning, origin, "the server said that it takes no \(one)", .none,
        listener)
    }
  }

  mutating func look(
    suback packet: MQTTPacket, _ type: MQTTType, _ bytes: RawSpan, _ origin: Origin,
    _ listener: any Listener
  ) {
    guard let id = packet.id, id != 0 else { return }
    let key = Self.key(id, by: .toServer)
    let step = type == .suback ? Exchange.Step.suback : .unsuback
    guard let open = exchanges[key], open.step == step else {
      if knowsAll && connack != nil {
        suspect(
          id, .toServer, origin, "\(type.name) for packet \(id), which is not open", listener)
      }
      return
    }
    _ = exchanges.removeValue(for: key)
    let codes = bytes[packet.codes]
    let hasCodes = type == .suback || packet.isV5
    if hasCodes && codes.byteCount != Int(open.filters) && codes.byteCount > 0 {
      tell(
        .mqttSubackLength, .error, origin,
        "\(type.name) has \(counted(codes.byteCount, "code")) for"
          + " \(counted(open.filters, "filter"))",
        MQTTRule("3.9.3-1"), listener)
    }
    if type == .suback {
      grant(id, codes, packet, bytes, origin, listener)
    } else if packet.isV5, packet.reason >= 0x80 {
      judgeReason(type, packet, origin, listener)
    }
  }

  /// Each code belongs to the filter in its place.
  private mutating func grant(
    _ id: UInt16, _ codes: RawSpan, _ packet: MQTTPacket, _ bytes: RawSpan, _ origin: Origin,
    _ listener: any Listener
  ) {
    var place = 0
    for index in subscriptions.indices where subscriptions[index].pending == id {
      let code = place < codes.byteCount ? codes.byte(at: place) : 0
      place += 1
      let copy = subscriptions[index].filter
      let filter = MQTTDecoder.quoted(copy.span.bytes)
      subscriptions[index].pending = 0
      if code >= 0x80 {
        let name = packet.isV5 ? MQTTReason.name(code).map { ": \($0)" } ?? "" : ""
        tell(
          .mqttSubscribeRefused, .warning, origin,
          "“\(filter)” was refused by the server\(name)\(reasonString(packet, bytes))",
          MQTTRule("3.8.4-5", "3.8.4-6"), listener)
        subscriptions[index].filter = []
      } else if code < subscriptions[index].qos {
        tell(
          .mqttQoSDowngraded, .note, origin,
          "“\(filter)” was granted QoS \(code), and QoS \(subscriptions[index].qos) was asked",
          MQTTRule("3.8.4-6", "3.8.4-8"), listener)
      }
    }
    // A filter that is subscribed again takes the place of the old one.
    removeRepeated()
  }

  private mutating func removeRepeated() {
    subscriptions.removeAll { $0.filter.isEmpty }
    guard subscriptions.count > 1, let last = subscriptions.last else { return }
    var isFirst = true
    var kept = ContiguousArray<Subscription>()
    for one in subscriptions.reversed() {
      if one.filter == last.filter && one.pending == 0 {
        if !isFirst { continue }
        isFirst = false
      }
      kept.append(one)
    }
    if kept.count < subscriptions.count { subscriptions = ContiguousArray(kept.reversed()) }
  }
}
