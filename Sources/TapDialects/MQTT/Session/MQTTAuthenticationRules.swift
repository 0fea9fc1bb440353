// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Checks the exchange of AUTH packets (MQTT 5.0 §4.12).
struct MQTTAuthenticationRules {
  /// The authentication method that CONNECT names.
  private var method: [UInt8] = []
  /// CONNECT names a method, and CONNACK has not come: the client must not send anything else.
  private(set) var isGoingOn = false

  var hasMethod: Bool { !method.isEmpty }

  /// CONNECT names a method.
  mutating func begin(_ method: RawSpan, _ context: MQTTSessionContext) {
    self.method = method.copied()
    isGoingOn = !context.hasConnack
  }

  /// CONNACK.
  mutating func end() { isGoingOn = false }

  /// A packet of the client during authentication.
  mutating func judge(
    early packet: MQTTPacket, _ origin: Origin, _ context: MQTTSessionContext,
    _ listener: any Listener
  ) {
    guard let type = packet.type, type != .auth, type != .disconnect, type != .connect else {
      return
    }
    isGoingOn = false
    guard context.knowsAll else { return }
    context.report(
      .mqttAuthentication, .error, origin,
      "\(type.name) comes while the client authenticates: until CONNACK it sends only AUTH and"
        + " DISCONNECT", MQTTRule("", "3.1.2-30"), listener)
  }

  /// AUTH and CONNACK must have the method of CONNECT; without one, there must be no AUTH.
  func judge(
    methodOf packet: MQTTPacket, _ bytes: RawSpan, _ origin: Origin,
    _ context: MQTTSessionContext, _ listener: any Listener
  ) {
    guard context.knowsAll, context.hasConnect, context.level == MQTTLevel.v5 else { return }
    let hasOne = packet.properties.has(.authenticationMethod)
    let name = packet.type?.name ?? ""
    if method.isEmpty {
      guard packet.type == .auth || hasOne else { return }
      let isAuthOfClient = packet.type == .auth && origin.isFromClient
      return context.report(
        .mqttAuthentication, .error, origin,
        "\(packet.type == .auth ? "AUTH" : "the method of \(name)") comes from the"
          + " \(isAuthOfClient ? "client" : "server"), and CONNECT named no authentication method",
        MQTTRule("", isAuthOfClient ? "4.12.0-7" : "4.12.0-6"), listener)
    }
    // A refusing CONNACK need not have one.
    if packet.type == .connack && !hasOne && packet.reason >= 0x80 { return }
    let sent = bytes[packet.properties.authenticationMethod]
    if hasOne ? sent.equals(method.span.bytes) : packet.type == .auth { return }
    let found = hasOne ? "names the method “\(MQTTFault.quoted(sent))”" : "names no method"
    context.report(
      .mqttAuthentication, .error, origin,
      "\(name) \(found), and CONNECT named “\(MQTTFault.quoted(method.span.bytes))”",
      MQTTRule("", packet.reason == 0x19 ? "4.12.1-1" : "4.12.0-5"), listener)
  }
}
