// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The order of a session, from CONNECT to its end.
extension MQTTSessionRules {
  @inline(__always)
  mutating func judgeOrder(
    _ packet: MQTTPacket, isUp: Bool, _ origin: Origin, _ listener: any Listener
  ) {
    if isUp {
      if client.hasSpoken && !client.hasLeft && !isAuthenticating { return }
    } else if server.hasSpoken && !server.hasLeft && packet.type != .connect {
      return judgeDirection(packet, isUp: false, origin, listener)
    }
    judgeFirst(packet, isUp: isUp, origin, listener)
  }

  private func judgeDirection(
    _ packet: MQTTPacket, isUp: Bool, _ origin: Origin, _ listener: any Listener
  ) {
    guard knowsAll, let type = packet.type,
      type.direction(level: level) == (isUp ? .toClient : .toServer), type != .disconnect
    else { return }
    tell(
      .mqttWrongDirection, .error, origin,
      "\(type.name) is sent by the \(isUp ? "server" : "client") only", .none, listener)
  }

  @inline(never)
  private mutating func judgeFirst(
    _ packet: MQTTPacket, isUp: Bool, _ origin: Origin, _ listener: any Listener
  ) {
    let side = isUp ? client : server
    if side.hasLeft {
      if isUp { client.hasToldAfterLeaving = true } else { server.hasToldAfterLeaving = true }
      if !side.hasToldAfterLeaving {
        tell(
          .mqttAfterDisconnect, .error, origin,
          "the \(isUp ? "client" : "server") sends more after its DISCONNECT",
          MQTTRule("3.14.4-2", "3.14.4-1"), listener)
      }
      return
    }
    if isUp && isAuthenticating { judgeEarly(packet, origin, listener) }
    if isUp { client.hasSpoken = true } else { server.hasSpoken = true }
    guard knowsAll, !side.hasSpoken else { return }
    if isUp && packet.type != .connect {
      tell(
        .mqttBeforeConnect, .error, origin, "the first packet of the client must be CONNECT",
        MQTTRule("3.1.0-1"), listener)
    } else if !isUp && packet.type != .connack && packet.type != .auth {
      tell(
        .mqttConnackNotFirst, .error, origin,
        "the first packet of the server must be CONNACK", MQTTRule("3.2.0-1"), listener)
      if packet.type != .auth { judgeDirection(packet, isUp: false, origin, listener) }
    }
  }

  mutating func look(
    connect packet: MQTTPacket, _ bytes: RawSpan, _ origin: Origin, _ listener: any Listener
  ) {
    if connect != nil {
      return tell(
        .mqttConnectTwice, .error, origin,
        "the connection has had a CONNECT already: a server closes it", MQTTRule("3.1.0-2"),
        listener)
    }
    (connect, level) = (origin, packet.level)
    keepAlive = Int(packet.keepAlive)
    isCleanStart = packet.isCleanStart
    clientID = bytes[packet.clientID].copied()
    if packet.hasWill { willTopic = MQTTDecoder.quoted(bytes[packet.willTopic]) }
    let properties = packet.properties
    if properties.has(.receiveMaximum) { client.receiveMaximum = Int(properties.receiveMaximum) }
    client.aliasMaximum = properties.aliasMaximum
    client.maximumPacketSize = Int(properties.maximumPacketSize)
    if properties.has(.sessionExpiryInterval) && properties.sessionExpiry > 0 {
      isCleanStart = false
    }
    if properties.has(.authenticationMethod) {
      method = bytes[properties.authenticationMethod].copied()
      isAuthenticating = connack == nil
    }
    if packet.hasPassword { judgePassword(origin, listener) }
    presence = broker.enter(clientID, at: opening.server, origin, listener)
  }

  private func judgePassword(_ origin: Origin, _ listener: any Listener) {
    let isEncrypted = opening.security != nil || opening.url.starts(with: "wss:".utf8)
    if isEncrypted || opening.server.isLoopback || !opening.server.isKnown { return }
    var finding = Finding(
      .mqttPasswordInClear, .warning, origin,
      "the password goes over the network without encryption", isAboutLastMessage: true)
    finding.isSecurity = true
    listener.finding(finding)
  }

  mutating func look(
    connack packet: MQTTPacket, _ bytes: RawSpan, _ origin: Origin, _ listener: any Listener
  ) {
    isAuthenticating = false
    judgeMethod(packet, bytes, isUp: false, origin, listener)
    if connack != nil && knowsAll { return tellSecond(connack: packet, bytes, origin, listener) }
    connack = origin
    goesOn = packet.isSessionPresent
    isRefused = packet.reason != 0
    let properties = packet.properties
    if properties.has(.receiveMaximum) { server.receiveMaximum = Int(properties.receiveMaximum) }
    server.aliasMaximum = properties.aliasMaximum
    server.maximumPacketSize = Int(properties.maximumPacketSize)
    if properties.has(.serverKeepAlive) { keepAlive = Int(properties.serverKeepAlive) }
    unavailable = properties.zeros & properties.sent
    if properties.has(.maximumQoS) {
      maximumQoS = properties.isZero(.maximumQoS) ? 0 : 1
      unavailable |= 1 << UInt64(MQTTProperty.maximumQoS.rawValue)
    }
    guard isRefused else { return }
    tell(
      .mqttConnectRefused, .warning, origin,
      "the connection was refused: \(Self.refusal(packet))\(reasonString(packet, bytes))", .none,
      listener)
  }

  /// `Not authorized (135)`
  static func refusal(_ packet: MQTTPacket) -> String {
    let returned = MQTTReason.name(packet.reason, in: .connack, level: packet.level)
    return returned.map { "\($0) (\(packet.reason))" } ?? MQTTReason.words(packet.reason)
  }

  /// ` (“words for people”)`
  func reasonString(_ packet: MQTTPacket, _ bytes: RawSpan) -> String {
    if packet.properties.reasonString.isEmpty { return "" }
    return " (“\(MQTTDecoder.quoted(bytes[packet.properties.reasonString]))”)"
  }

  // MARK: - Keep alive (MQTT 5.0 §3.1.2.10)

  /// A packet of the client, or its end, so long after the one before.
  @inline(__always)
  mutating func judgeKeepAlive(_ origin: Origin, _ listener: any Listener) {
    guard lastSent.time.isKnown, origin.time.isKnown else { return }
    let silence = origin.time.nanoseconds &- lastSent.time.nanoseconds
    longestSilence = max(longestSilence, silence)
    if silence > Int64(keepAlive) * 1_000_000_000 + 1_000_000_000 {
      tellSilence(silence, origin, listener)
    }
  }

  @inline(never)
  private mutating func tellSilence(
    _ silence: Int64, _ origin: Origin, _ listener: any Listener
  ) {
    silences += 1
    guard knowsAll, connack != nil, !hasToldKeepAlive else { return }
    hasToldKeepAlive = true
    let isLong = silence > Int64(keepAlive) * 1_500_000_000 + 1_000_000_000
    tell(
      .mqttKeepAliveExceeded, isLong ? .warning : .note, origin,
      "keep alive \(keepAlive) s, \(Self.seconds(silence)) without a packet"
        + (isLong ? " (1.5 times is \(limit)), and the server did not close" : ""),
      isLong ? MQTTRule("3.1.2-24", "3.1.2-22") : MQTTRule("3.1.2-23", "3.1.2-20"), listener)
  }

  /// After this time the server must close.
  private var limit: String { Self.seconds(Int64(keepAlive) * 1_500_000_000) }

  /// The server closes: where the client was silent for so long, that is why.
  mutating func judgeClosing(_ delivery: Delivery, _ listener: any Listener) {
    let time = delivery.origin.time
    guard knowsAll, keepAlive > 0, connack != nil, !client.hasLeft, !isRefused, time.isKnown,
      lastSent.time.isKnown
    else { return }
    let silence = time.nanoseconds - lastSent.time.nanoseconds
    let second = Int64(keepAlive) * 1_000_000_000
    guard silence >= second + second / 2, silence <= 2 * second + second / 2 + 1_000_000_000
    else { return }
    hasToldKeepAlive = true
    listener.finding(
      Finding(
        .mqttKeepAliveClose, .warning, delivery.origin,
        "keep alive \(keepAlive) s, \(Self.seconds(silence)) without a packet of the client"
          + " (1.5 times is \(limit)): the server closed\(willIsDue)"
          + MQTTRule("3.1.2-24", "3.1.2-22").suffix(level: level)))
  }

  private var willIsDue: String { willTopic.isEmpty ? "" : "; the will \(willTopic) is due" }

  // MARK: - The end

  mutating func look(
    disconnect packet: MQTTPacket, _ bytes: RawSpan, isUp: Bool, _ origin: Origin,
    _ listener: any Listener
  ) {
    if packet.isV5 { judgeSender(packet, isUp: isUp, origin, listener) }
    if isUp {
      client.hasLeft = true
      if packet.reason != 0x04 { willTopic = "" }
      return
    }
    server.hasLeft = true
    if packet.level != MQTTLevel.v5 {
      return tell(
        .mqttServerDisconnected, .error, origin,
        "the server sends DISCONNECT, which it may in MQTT 5.0 only", .none, listener)
    }
    if packet.reason == 0x8E { presence?.isToldByServer = true }
    guard packet.reason >= 0x80 else { return }
    let name = MQTTReason.words(packet.reason)
    let place =
      packet.properties.serverReference.isEmpty
      ? "" : ", use \(MQTTDecoder.quoted(bytes[packet.properties.serverReference]))"
    let isEarly = connect != nil && connack == nil && knowsAll
    tell(
      .mqttServerDisconnected, .warning, origin,
      "the server ends the connection\(isEarly ? " before CONNACK" : ""): \(name)\(place)"
        + reasonString(packet, bytes), isEarly ? MQTTRule("", "3.14.0-1") : .none, listener)
  }

  /// What only the other side may say in DISCONNECT or AUTH (MQTT 5.0 §3.14.2, §3.15.2).
  func judgeSender(
    _ packet: MQTTPacket, isUp: Bool, _ origin: Origin, _ listener: any Listener
  ) {
    let (sender, other) = isUp ? ("client", "server") : ("server", "client")
    if MQTTReason.isOnly(packet.reason, from: isUp ? .toClient : .toServer, in: packet.type) {
      tell(
        .mqttReasonCode, .error, origin,
        "reason code \(MQTTReason.words(packet.reason)) comes from the \(sender), and only a"
          + " \(other) may send it", .none, listener)
    }
    let property: MQTTProperty = isUp ? .serverReference : .sessionExpiryInterval
    guard packet.type == .disconnect, packet.properties.has(property) else { return }
    tell(
      .mqttPropertyInvalid, .error, origin,
      "\(property.entry.key) comes from the \(sender), and only a \(other) may send it",
      isUp ? .none : MQTTRule("", "3.14.2-2"), listener)
  }

  mutating func finish(
    _ ending: Ending, by first: Direction, _ delivery: Delivery, _ listener: any Listener
  ) {
    for one in pendingFindings { listener.finding(one.finding) }
    pendingFindings.removeAll()
    let isEnd = ending == .endOfEvidence
    presence?.leave()
    tellKeepAlive(delivery, listener)
    if let taker = presence?.takenBy, !isEnd { tellTakeover(taker, delivery, listener) }
    guard knowsAll, connect != nil else { return }
    let time = delivery.origin.time
    if connack == nil && !isEnd {
      if server.hasLeft { return }
      return listener.finding(
        Finding(
          .mqttConnackMissing, .warning, delivery.origin,
          "CONNECT was never answered, and the connection ended"))
    }
    if !isEnd && !client.hasLeft && !isRefused { tellUncleanEnd(ending, delivery, listener) }
    if let ping, !client.hasLeft, time.isKnown, ping.time.isKnown,
      time.nanoseconds - ping.time.nanoseconds
        >= min(5, Int64(max(keepAlive, 1))) * 1_000_000_000
    {
      listener.finding(
        Finding(
          .mqttPingUnanswered, .warning, ping,
          "PINGREQ was not answered in \(Self.seconds(time.nanoseconds - ping.time.nanoseconds))"
            + MQTTRule("3.12.4-1").suffix(level: level)))
    }
    if isRefused { return }
    tellOpen(isEnd: isEnd, delivery, listener)
  }

  /// What was agreed on in CONNECT and CONNACK, and what came of it.
  private mutating func tellKeepAlive(_ delivery: Delivery, _ listener: any Listener) {
    guard connack != nil, keepAlive > 0, !isRefused else { return }
    var agreed = KeepAlive("mqtt", .toServer, interval: Int64(keepAlive) * 1_000_000_000)
    let end = delivery.origin.time
    if !client.hasLeft, knowsAll, end.isKnown, lastSent.time.isKnown {
      let silence = end.nanoseconds &- lastSent.time.nanoseconds
      longestSilence = max(longestSilence, silence)
      if silence > agreed.interval + 1_000_000_000 { silences += 1 }
    }
    (agreed.signals, agreed.longestSilence, agreed.missed) = (pings, longestSilence, silences)
    listener.keepAlive(agreed, delivery)
  }

  private func tellTakeover(
    _ taker: Origin, _ delivery: Delivery, _ listener: any Listener
  ) {
    let times = presence?.takeovers ?? 1
    let often = times >= 3 ? "; that happened \(times) times in a minute: two clients share it" : ""
    let packet = taker.record > 0 ? " (packet \(taker.record))" : ""
    listener.finding(
      Finding(
        .mqttTakenOver, .warning, delivery.origin,
        "another connection\(packet) has the client identifier"
          + " “\(MQTTDecoder.quoted(clientID.span.bytes))”, and this one ended"
          + often + MQTTRule("3.1.4-2", "3.1.4-3").suffix(level: level)))
  }

  private func tellUncleanEnd(
    _ ending: Ending, _ delivery: Delivery, _ listener: any Listener
  ) {
    if server.hasLeft && willTopic.isEmpty { return }
    let how = ending == .reset ? "was reset" : "ended"
    listener.finding(
      Finding(
        .mqttUncleanEnd, willTopic.isEmpty ? .note : .warning, delivery.origin,
        "the connection \(how) without DISCONNECT of the client\(willIsDue)"
          + (willTopic.isEmpty ? "" : MQTTRule("3.1.2-8").suffix(level: level))))
  }

  /// What is open when the connection ends.
  private func tellOpen(isEnd: Bool, _ delivery: Delivery, _ listener: any Listener) {
    var left: [(key: WideKey, exchange: Exchange)] = []
    exchanges.forEach { left.append(($0, $1)) }
    let now = delivery.origin.time
    for one in left.sorted(by: { $0.exchange.origin.isBefore($1.exchange.origin) }) {
      let began = one.exchange.origin
      let isFresh =
        now.isKnown && began.time.isKnown
        && now.nanoseconds - began.time.nanoseconds < 2_000_000_000
      let isNote = isEnd || isFresh || !client.hasLeft
      tellOpen(one.key, one.exchange, isNote: isNote, isEnd: isEnd, delivery, listener)
    }
    for one in subscriptions where one.pending == 0 && !isEnd && isCleanStart && !goesOn {
      listener.finding(
        Finding(
          .mqttSubscriptionLeft, .note, delivery.origin,
          "“\(MQTTDecoder.quoted(one.filter.span.bytes))” was never unsubscribed: it ends with"
            + " the session"))
    }
  }

  private func tellOpen(
    _ key: WideKey, _ exchange: Exchange, isNote: Bool, isEnd: Bool, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    let end = isEnd ? "when the capture ended" : "when the connection ended"
    let code: Finding.Code
    let words: String
    let rule: MQTTRule
    switch exchange.step {
    case .puback:
      (code, words) = (.mqttAckMissing, "no PUBACK")
      rule = MQTTRule("4.3.2-2", "4.3.2-4")
    case .pubrec:
      (code, words) = (.mqttAckMissing, "no PUBREC")
      rule = MQTTRule("4.3.3-2", "4.3.3-8")
    case .suback: (code, words, rule) = (.mqttAckMissing, "no SUBACK", MQTTRule("3.8.4-1"))
    case .unsuback: (code, words, rule) = (.mqttAckMissing, "no UNSUBACK", MQTTRule("3.10.4-4"))
    case .pubrel:
      (code, words) = (.mqttExchangeUnfinished, "PUBREC, and no PUBREL")
      rule = MQTTRule("4.3.3-1", "4.3.3-4")
    case .pubcomp:
      (code, words) = (.mqttExchangeUnfinished, "PUBREL, and no PUBCOMP")
      rule = MQTTRule("4.3.3-1", "4.3.3-4")
    }
    let asker = key.high == UInt64(MQTTSession.Space.byServer) ? "server" : "client"
    var finding = Finding(
      code, isNote ? .note : .warning, delivery.origin, "packet \(key.low) of the \(asker)")
    finding.about = Link(.opens, "", key.low, space: UInt8(key.high))
    finding.remainder = " had \(words) \(end)" + rule.suffix(level: level)
    listener.finding(finding)
  }
}
