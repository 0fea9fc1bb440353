// SPDX-License-Identifier: Apache-2.0
import TapTraffic

extension MQTTLogProgram {
  /// paho-mqtt with `enable_logger()` or `on_log`: one client for each log.
  ///
  ///     DEBUG:paho.mqtt.client:Sending PUBLISH (d0, q1, r0, m2), 'b'a/x'', ... (7 bytes)
  static let pahoPython = MQTTLogProgram(
    title: "paho.mqtt.python",
    forms: sent(in: "'") + sent(in: "\"") + [
      .certain("Received CONNACK ({present}, {code})", .connack, .toClient),
      .certain(
        "Received CONNACK ({present}, {codeName}) properties=[{properties}]", .connack, .toClient),
      .certain(
        "Received PUBLISH \(flags), '{topic}', properties=[{properties}], ...  ({bytes} bytes)",
        .publish, .toClient),
      .certain(
        "Received PUBLISH \(flags), '{topic}', ...  ({bytes} bytes)", .publish, .toClient),
      .certain("Sending SUBSCRIBE (d{dup}, m{id}) [{filters}]", .subscribe, .toServer),
      .packet("Received SUBACK", .suback, .toClient),
      .certain(
        "Sending UNSUBSCRIBE (d{dup}, m{id}) [{properties}] [{filters}]", .unsubscribe, .toServer),
      .certain("Sending UNSUBSCRIBE (d{dup}, m{id}) [{filters}]", .unsubscribe, .toServer),
      .certain("Sending UNSUBSCRIBE (d{dup}, m{id}) {word} [{filters}]", .unsubscribe, .toServer),
      .packet("Received UNSUBACK (Mid: {id})", .unsuback, .toClient),
      .packet("Sending PINGREQ", .pingreq, .toServer),
      .packet("Received PINGRESP", .pingresp, .toClient),
      .packet("Sending DISCONNECT", .disconnect, .toServer),
      .packet("Sending DISCONNECT reasonCode={rest} properties={rest}", .disconnect, .toServer),
      .packet("Received DISCONNECT {rest}", .disconnect, .toClient),
    ] + replies("Sending ", "Received ", " (Mid: {id})"), namesClients: false)

  /// Lines with bytes as Python prints them: in quotation marks if there is an apostrophe in them.
  private static func sent(in quote: String) -> [MQTTLogForm] {
    let connect =
      "Sending CONNECT (u{number}, p{number}, wr{willRetain}, wq{willQoS}, wf{will}, c{clean}, "
      + "k{keepAlive}) client_id=b\(quote){escapedClient}\(quote)"
    let publish = "Sending PUBLISH \(flags), 'b\(quote){escapedTopic}\(quote)'"
    return [
      .certain(connect + " properties=[{properties}]", .connect, .toServer, [.level: 5]),
      .certain(connect + " properties={rest}", .connect, .toServer, [.level: 5]),
      .certain(connect, .connect, .toServer),
      .certain(publish + ", properties=[{properties}]" + size, .publish, .toServer),
      .certain(publish + ", properties=None" + size, .publish, .toServer),
      .certain(publish + size, .publish, .toServer),
      .certain(
        publish + ", properties={rest} (NULL payload)", .publish, .toServer, [.bytes: 0]),
      .certain(publish + " (NULL payload)", .publish, .toServer, [.bytes: 0]),
    ]
  }

  private static let flags = "(d{dup}, q{qos}, r{retain}, m{id})"
  private static let size = ", ... ({bytes} bytes)"

  /// The C library with `MQTT_C_CLIENT_TRACE`. It prints no topics, and only the beginning of
  /// payloads.
  ///
  ///     20261126 160330.914 3 app -> PUBLISH msgid: 1 qos: 1 retained: 0 rc 0 payload len(2): hi
  static let pahoC = MQTTLogProgram(
    title: "paho.mqtt.c",
    forms: [
      .certain(sent + "CONNECT version {level} clean: {clean} ({number})", .connect, .toServer),
      .certain(received + "CONNACK rc: {code}", .connack, .toClient),
      .certain(sent + "PUBLISH msgid: {id} " + message("rc "), .publish, .toServer),
      .certain(sent + "PUBLISH " + message("rc: "), .publish, .toServer),
      .certain(received + "PUBLISH msgid: {id} " + message(nil), .publish, .toClient),
      .certain(sent + "SUBSCRIBE msgid: {id} ({number})", .subscribe, .toServer),
      .certain(received + "SUBACK msgid: {id}", .suback, .toClient),
      .certain(sent + "UNSUBSCRIBE msgid: {id} ({number})", .unsubscribe, .toServer),
      .certain(received + "UNSUBACK msgid: {id}", .unsuback, .toClient),
      .packet(sent + "PUBACK msgid: {id} ({number})", .puback, .toServer),
      .packet(received + "PUBACK msgid: {id}", .puback, .toClient),
      .packet(sent + "PUBREC msgid: {id} ({number})", .pubrec, .toServer),
      .packet(received + "PUBREC msgid: {id}", .pubrec, .toClient),
      .packet(sent + "PUBREL msgid: {id} ({number})", .pubrel, .toServer),
      .packet(received + "PUBREL msgid {id}", .pubrel, .toClient),
      .packet(sent + "PUBCOMP msgid {id} ({number})", .pubcomp, .toServer),
      .packet(received + "PUBCOMP msgid:{id}", .pubcomp, .toClient),
      .packet(sent + "PINGREQ ({number})", .pingreq, .toServer),
      .packet(received + "PINGRESP", .pingresp, .toClient),
      .packet(sent + "DISCONNECT ({number})", .disconnect, .toServer),
      .packet(received + "DISCONNECT ({number})", .disconnect, .toClient),
    ])

  /// Date, time, socket and client.
  private static let sent = "{number} {word} {number} {client} -> "
  private static let received = "{number} {word} {number} {client} <- "

  private static func message(_ result: String?) -> String {
    "qos: {qos} retained: {retain} " + (result.map { $0 + "{number} " } ?? "")
      + "payload len({bytes}): {rawPayload}"
  }
}
