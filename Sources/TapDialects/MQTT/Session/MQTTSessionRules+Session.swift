// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Checks the order of a session, from CONNECT to its end.
extension MQTTSessionRules {
  @inline(__always)
  mutating func judgeOrder(_ packet: MQTTPacket, _ origin: Origin, _ listener: any Listener) {
    if origin.isFromClient
      ? client.hasSpoken && !client.hasLeft && !authentication.isGoingOn
      : server.hasSpoken && !server.hasLeft && packet.type != .connect
    {
      return judgeDirection(packet, origin, listener)
    }
    judgeFirst(packet, origin, listener)
  }

  private func judgeDirection(
    _ packet: MQTTPacket, _ origin: Origin, _ listener: any Listener
  ) {
    guard context.knowsAll, let type = packet.type,
      type.direction(level: context.level) == origin.direction.reversed, type != .disconnect
    else { return }
    let sender = origin.isFromClient ? "server" : "client"
    context.report(
      .mqttWrongDirection, .error, origin, "\(type.name) is sent by the \(sender) only", .none,
      listener)
  }

  @inline(never)
  private mutating func judgeFirst(
    _ packet: MQTTPacket, _ origin: Origin, _ listener: any Listener
  ) {
    let isFromClient = origin.isFromClient
    let side = isFromClient ? client : server
    if side.hasLeft {
      if isFromClient {
        client.hasReportedAfterLeaving = true
      } else {
        server.hasReportedAfterLeaving = true
      }
      if !side.hasReportedAfterLeaving {
        context.report(
          .mqttAfterDisconnect, .error, origin,
          "the \(isFromClient ? "client" : "server") sends more after its DISCONNECT",
          MQTTRule("3.14.4-2", "3.14.4-1"), listener)
      }
      return
    }
    if isFromClient && authentication.isGoingOn {
      authentication.judge(early: packet, origin, context, listener)
    }
    if isFromClient { client.hasSpoken = true } else { server.hasSpoken = true }
    guard context.knowsAll, !side.hasSpoken else { return }
    if isFromClient && packet.type != .connect {
      context.report(
        .mqttBeforeConnect, .error, origin, "the first packet of the client must be CONNECT",
        MQTTRule("3.1.0-1"), listener)
    } else if !isFromClient && packet.type != .connack && packet.type != .auth {
      context.report(
        .mqttConnackNotFirst, .error, origin,
        "the first packet of the server must be CONNACK", MQTTRule("3.2.0-1"), listener)
      judgeDirection(packet, origin, listener)
    }
  }

  mutating func look(
    connect packet: MQTTPacket, _ bytes: RawSpan, _ origin: Origin, _ listener: any Listener
  ) {
    if context.hasConnect {
      return context.report(
        .mqttConnectTwice, .error, origin,
        "the connection has had a CONNECT already: a server closes it", MQTTRule("3.1.0-2"),
        listener)
    }
    (context.hasConnect, context.level) = (true, packet.level)
    keepAlive.agree(on: packet.keepAlive)
    (startsAnew, isCleanStart) = (packet.isCleanStart, packet.isCleanStart)
    clientID = bytes[packet.clientID].copied()
    if packet.hasWill {
      will = "the will \(MQTTFault.quoted(bytes[packet.willTopic]))"
      willDelay = packet.willDelay
    }
    let properties = packet.properties
    client.learn(properties)
    (askedExpiry, sessionExpiry) = (properties.sessionExpiry, properties.sessionExpiry)
    if askedExpiry > 0 { isCleanStart = false }
    if properties.has(.authenticationMethod) {
      authentication.begin(bytes[properties.authenticationMethod], context)
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
    authentication.end()
    authentication.judge(methodOf: packet, bytes, origin, context, listener)
    if context.hasConnack && context.knowsAll {
      return reportSecond(connack: packet, bytes, origin, listener)
    }
    context.hasConnack = true
    context.isRefused = packet.reason != 0
    context.goesOn = context.level == MQTTLevel.v31 && !isCleanStart
    if packet.isSessionPresent { judgePresent(packet, origin, listener) }
    if context.isRefused, let presence { broker.refuse(presence) }
    let properties = packet.properties
    server.learn(properties)
    if properties.has(.sessionExpiryInterval) { sessionExpiry = properties.sessionExpiry }
    if properties.has(.serverKeepAlive) { keepAlive.agree(on: properties.serverKeepAlive) }
    availability.learn(properties)
    guard context.isRefused else { return }
    let isOlder = context.level == MQTTLevel.v5 && !packet.isV5
    context.report(
      .mqttConnectRefused, .warning, origin,
      "the connection was refused: \(packet.refusal)\(packet.reasonString(in: bytes))"
        + (isOlder ? "; the server does not speak MQTT 5" : ""), .none, listener)
  }

  /// CONNACK says that the session of before goes on.
  private mutating func judgePresent(
    _ packet: MQTTPacket, _ origin: Origin, _ listener: any Listener
  ) {
    context.goesOn = context.goesOn || !startsAnew
    if !startsAnew || context.isRefused || context.level == MQTTLevel.v31 { return }
    context.report(
      .mqttReservedBits, .error, origin,
      "session present is set, and CONNECT asked for a new session",
      MQTTRule("3.2.2-1", "3.2.2-2"), listener)
  }

  /// A second CONNACK: some servers answer a failed re-authentication with it (MQTT 5.0 §4.12.1).
  private mutating func reportSecond(
    connack packet: MQTTPacket, _ bytes: RawSpan, _ origin: Origin, _ listener: any Listener
  ) {
    let isAnswer = packet.reason != 0 && authentication.hasMethod
    if packet.reason != 0 { context.isRefused = true }
    context.report(
      .mqttConnackTwice, .error, origin,
      "this is the second CONNACK of the connection"
        + (packet.reason == 0
          ? "" : ", and refuses: \(packet.refusal)\(packet.reasonString(in: bytes))")
        + (isAnswer ? "; the server has to send DISCONNECT instead" : ""),
      MQTTRule("", "3.2.0-2"), listener)
  }

  // MARK: - DISCONNECT

  /// In how many seconds the will is due: after its delay, or when the session ends, whichever is
  /// first (MQTT 5.0 §3.1.3.2.2).
  var willWait: UInt32 { min(willDelay, sessionExpiry) }

  /// What becomes of the will when the connection ends without DISCONNECT.
  var willIsDue: String {
    if will.isEmpty { return "" }
    let when = willWait > 0 ? " in \(willWait) s, unless the client returns before" : ""
    return "; \(will) is due\(when)"
  }

  mutating func look(
    disconnect packet: MQTTPacket, _ bytes: RawSpan, _ origin: Origin, _ listener: any Listener
  ) {
    if packet.isV5 { judgeSender(packet, origin, listener) }
    if origin.isFromClient {
      judgeExpiry(packet, origin, listener)
      client.hasLeft = true
      presence?.close()
      if packet.reason != 0x04 { will = "" }
      return
    }
    server.hasLeft = true
    if packet.level != MQTTLevel.v5 {
      return context.report(
        .mqttServerDisconnected, .error, origin,
        "the server sends DISCONNECT, which it may in MQTT 5.0 only", .none, listener)
    }
    guard packet.reason >= 0x80 else { return }
    let name = MQTTReason.words(packet.reason)
    let place =
      packet.properties.serverReference.isEmpty
      ? "" : ", use \(MQTTFault.quoted(bytes[packet.properties.serverReference]))"
    let isEarly = context.hasConnect && !context.hasConnack && context.knowsAll
    context.report(
      .mqttServerDisconnected, .warning, origin,
      "the server ends the connection\(isEarly ? " before CONNACK" : ""): \(name)\(place)"
        + packet.reasonString(in: bytes), isEarly ? MQTTRule("", "3.14.0-1") : .none, listener)
  }

  /// The client may not keep a session that it did not ask for (MQTT 5.0 §3.14.2.2.2).
  private func judgeExpiry(
    _ packet: MQTTPacket, _ origin: Origin, _ listener: any Listener
  ) {
    let expiry = packet.properties.sessionExpiry
    guard expiry > 0, askedExpiry == 0, context.hasConnect, context.knowsAll else { return }
    context.report(
      .mqttPropertyInvalid, .error, origin,
      "sessionExpiryInterval is \(expiry), and must be 0, as it was in CONNECT", .none, listener)
  }

  /// Reports reason codes that only the other side may send in DISCONNECT or AUTH (MQTT 5.0
  /// §3.14.2, §3.15.2).
  func judgeSender(_ packet: MQTTPacket, _ origin: Origin, _ listener: any Listener) {
    let isFromClient = origin.isFromClient
    let (sender, other) = isFromClient ? ("client", "server") : ("server", "client")
    if MQTTReason.isOnly(packet.reason, from: origin.direction.reversed, in: packet.type) {
      context.report(
        .mqttReasonCode, .error, origin,
        "reason code \(MQTTReason.words(packet.reason)) comes from the \(sender), and only a"
          + " \(other) may send it", .none, listener)
    }
    let property: MQTTProperty = isFromClient ? .serverReference : .sessionExpiryInterval
    guard packet.type == .disconnect, packet.properties.has(property) else { return }
    context.report(
      .mqttPropertyInvalid, .error, origin,
      "\(property.entry.key) comes from the \(sender), and only a \(other) may send it",
      isFromClient ? .none : MQTTRule("", "3.14.2-2"), listener)
  }
}
