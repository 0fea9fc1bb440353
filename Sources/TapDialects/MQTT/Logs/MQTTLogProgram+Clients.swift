// SPDX-License-Identifier: Apache-2.0
import TapTraffic

extension MQTTLogProgram {
  /// mosquitto_pub and mosquitto_sub with `-d`, and other programs that use their library.
  ///
  ///     Client app sending PUBLISH (d0, q1, r0, m1, 'a/x', ... (5 bytes))
  static let mosquittoClients = MQTTLogProgram(
    title: "mosquitto's clients",
    forms: [
      .packet("Client {client} sending CONNECT", .connect, .toServer),
      .certain("Client {client} received CONNACK ({code})", .connack, .toClient),
      .certain("Client {client} sending PUBLISH " + message, .publish, .toServer),
      .certain("Client {client} received PUBLISH " + message, .publish, .toClient),
      .packet("Client {client} sending PUBACK (m{id}, rc{code})", .puback, .toServer),
      .packet("Client {client} sending PUBREC (m{id}, rc{code})", .pubrec, .toServer),
      .packet("Client {client} sending PUBREL (m{id})", .pubrel, .toServer),
      .packet("Client {client} sending PUBCOMP (m{id})", .pubcomp, .toServer),
      .packet("Client {client} received PUBACK (Mid: {id}, RC:{code})", .puback, .toClient),
      .packet("Client {client} received PUBREC (Mid: {id})", .pubrec, .toClient),
      .packet("Client {client} received PUBREL (Mid: {id})", .pubrel, .toClient),
      .packet("Client {client} received PUBCOMP (Mid: {id}, RC:{code})", .pubcomp, .toClient),
      .certain(
        "Client {client} sending SUBSCRIBE (Mid: {id}, Topic: {filter}, QoS: {filterQoS}, "
          + "Options: {number})", .subscribe, .toServer),
      .packet("Client {client} received SUBACK", .suback, .toClient),
      .adds("Subscribed (mid: {id}): {codes}", to: .suback),
      .certain(
        "Client {client} sending UNSUBSCRIBE (Mid: {id}, Topic: {filter})", .unsubscribe,
        .toServer),
      .packet("Client {client} received UNSUBACK", .unsuback, .toClient),
      .packet("Client {client} sending PINGREQ", .pingreq, .toServer),
      .packet("Client {client} received PINGRESP", .pingresp, .toClient),
      .packet("Client {client} sending DISCONNECT", .disconnect, .toServer),
      .packet("Client {client} received DISCONNECT ({code})", .disconnect, .toClient),
    ], hasLineForEachFilter: true, printsPayloads: true)

  private static let message = "(d{dup}, q{qos}, r{retain}, m{id}, '{topic}', ... ({bytes} bytes))"

  /// The Swift library at log level `debug`.
  ///
  ///     CocoaMQTT(debug): SEND: PUBLISH(id: 0, topic: a/x, payload: [104, 105])
  static let cocoaMQTT = MQTTLogProgram(
    title: "CocoaMQTT",
    forms: [
      .certain(
        cocoa + "SEND: CONNECT(id: {client}, username: {user}, password: {password}, "
          + "keepAlive : {keepAlive}, cleansess: {clean})", .connect, .toServer),
      .certain(
        cocoa + "RECV: CONNACK(code: Optional({accepted}), sp: {present})", .connack, .toClient),
      .certain(
        cocoa + "SEND: PUBLISH(id: {id}, topic: {topic}, payload: [{octets}])", .publish,
        .toServer),
      .certain(
        cocoa + "RECV: PUBLISH(id: {id}, topic: {topic}, payload: [{octets}])", .publish,
        .toClient),
      .certain(
        cocoa + "SEND: SUBSCRIBE(id: {id}, topics: {cocoaFilters}", .subscribe, .toServer),
      .certain(cocoa + "RECV: SUBACK(id: {id})", .suback, .toClient),
      .certain(
        cocoa + "SEND: UNSUBSCRIBE(id: {id}, topics: {cocoaFilters}", .unsubscribe, .toServer),
      .certain(cocoa + "RECV: UNSUBSACK(id: {id})", .unsuback, .toClient),
      .certain(cocoa + "SEND: PING", .pingreq, .toServer),
      .certain(cocoa + "RECV: PONG", .pingresp, .toClient),
      .certain(cocoa + "SEND: DISCONNECT", .disconnect, .toServer),
      // The sent bytes, which contain the password.
      .hides("variableHeader [{rest}"), .hides("payload [{rest}"),
    ] + replies("CocoaMQTT(debug): SEND: ", "CocoaMQTT(debug): RECV: ", "(id: {id})"),
    namesClients: false)

  private static let cocoa = "CocoaMQTT(debug): "
}
