// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The exchange of AUTH packets (MQTT 5.0 §4.12).
extension MQTTSessionRules {
  /// A packet of the client while its authentication goes on.
  mutating func judgeEarly(
    _ packet: MQTTPacket, _ origin: Origin, _ listener: any Listener
  ) {
    guard let type = packet.type, type != .auth, type != .disconnect, type != .connect else {
      return
    }
    isAuthenticating = false
    guard knowsAll else { return }
    tell(
      .mqttAuthentication, .error, origin,
      "\(type.name) comes while the client authenticates: until CONNACK it sends only AUTH and"
        + " DISCONNECT", MQTTRule("", "3.1.2-30"), listener)
  }

  /// AUTH and CONNACK have the method that CONNECT named, and there is no AUTH without one.
  func judgeMethod(
    _ packet: MQTTPacket, _ bytes: RawSpan, isUp: Bool, _ origin: Origin,
    _ listener: any Listener
  ) {
    guard knowsAll, connect != nil, level == MQTTLevel.v5 else { return }
    let hasMethod = packet.properties.has(.authenticationMethod)
    let name = packet.type?.name ?? ""
    if method.isEmpty {
      guard packet.type == .auth || hasMethod else { return }
      return tell(
        .mqttAuthentication, .error, origin,
        "\(packet.type == .auth ? "AUTH" : "the method of \(name)") comes from the"
          + " \(isUp ? "client" : "server"), and CONNECT named no authentication method",
        MQTTRule("", isUp ? "4.12.0-7" : "4.12.0-6"), listener)
    }
    // A CONNACK that refuses needs none.
    if packet.type == .connack && !hasMethod && packet.reason >= 0x80 { return }
    let sent = bytes[packet.properties.authenticationMethod]
    if hasMethod ? sent.equals(method.span.bytes) : packet.type == .auth { return }
    let found = hasMethod ? "names the method “\(MQTTDecoder.quoted(sent))”" : "names no method"
    tell(
      .mqttAuthentication, .error, origin,
      "\(name) \(found), and CONNECT named “\(MQTTDecoder.quoted(method.span.bytes))”",
      MQTTRule("", packet.reason == 0x19 ? "4.12.1-1" : "4.12.0-5"), listener)
  }

  /// A second CONNACK, as some servers answer an authentication that failed (MQTT 5.0 §4.12.1).
  mutating func tellSecond(
    connack packet: MQTTPacket, _ bytes: RawSpan, _ origin: Origin, _ listener: any Listener
  ) {
    let isAnswer = packet.reason != 0 && !method.isEmpty
    if packet.reason != 0 { isRefused = true }
    tell(
      .mqttConnackTwice, .error, origin,
      "this is the second CONNACK of the connection"
        + (packet.reason == 0
          ? "" : ", and refuses: \(Self.refusal(packet))\(reasonString(packet, bytes))")
        + (isAnswer ? "; the server has to send DISCONNECT instead" : ""),
      MQTTRule("", "3.2.0-2"), listener)
  }
}
