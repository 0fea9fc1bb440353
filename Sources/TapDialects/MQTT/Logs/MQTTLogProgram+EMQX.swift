// SPDX-License-Identifier: Apache-2.0
import TapTraffic

extension MQTTLogProgram {
  /// The broker's traces, and its log at level `debug`.
  ///
  ///     [MQTT] app@127.0.0.1:50000 msg: mqtt_packet_sent, packet: PUBACK(Q0, R0, …)
  static let emqx = MQTTLogProgram(title: "EMQX", forms: emqxForms)

  private static let emqxForms: [MQTTLogForm] = {
    var forms: [MQTTLogForm] = []
    let verbs: [(String, Direction)] = [("received", .toServer), ("sent", .toClient)]
    for (verb, direction) in verbs {
      let heads = [
        "[MQTT] {client}@{word} msg: mqtt_packet_\(verb), packet: ",
        "[WS-MQTT] {client}@{word} msg: mqtt_packet_\(verb), packet: ",
        "clientid: {client}, msg: mqtt_packet_\(verb), peername: {rest}, packet: ",
      ]
      for head in heads {
        for (packet, type) in emqxPackets {
          forms.append(.certain(head + packet, type, direction))
        }
        forms.append(.unread(head + "{rest}", direction))
      }
    }
    return forms
  }()

  private static let header = "(Q{number}, R{number}, D{number}"
  private static let login =
    "CONNECT" + header + ", ClientId={client}, ProtoName={rest}, ProtoVsn={level}, "
    + "CleanStart={clean}, KeepAlive={keepAlive}, Username={user}, Password={rest}"
  private static let message =
    "PUBLISH(Q{qos}, R{retain}, D{dup}, Topic={topic}, PacketId={id}, Payload"

  private static let emqxPackets: [(String, MQTTType)] =
    [
      (
        login + ", Will(Q{willQoS}, R{willRetain}, Topic={willTopic} Payload(text)={willPayload}))",
        .connect
      ),
      (login + ", Will(Q{willQoS}, R{willRetain}, Topic={willTopic} Payload({rest}))", .connect),
      (login + ")", .connect),
      ("CONNACK" + header + ", AckFlags={present}, ReasonCode={code})", .connack),
      // Longer payloads are truncated.
      (message + "({number})={rest}...({bytes} bytes))", .publish),
      (message + "(text)={payload})", .publish),
      (message + "(hex)={hexPayload})", .publish),
      (message + "(hidden)={rest})", .publish),
      // 5.0
      (message + "=******)", .publish),
      (message + "={payload})", .publish),
      ("SUBSCRIBE" + header + ", PacketId={id} TopicFilters=[{emqxFilters}])", .subscribe),
      ("SUBACK" + header + ", PacketId={id}, ReasonCodes=[{codes}])", .suback),
      ("UNSUBSCRIBE" + header + ", PacketId={id} TopicFilters=[{emqxFilters}])", .unsubscribe),
      ("UNSUBACK" + header + ", PacketId={id})", .unsuback),
      ("PINGREQ" + header + ")", .pingreq), ("PINGRESP" + header + ")", .pingresp),
      ("DISCONNECT" + header + ", ReasonCode={code})", .disconnect),
    ]
    + [MQTTType.puback, .pubrec, .pubrel, .pubcomp].map { type -> (String, MQTTType) in
      (type.name.description + header + ", PacketId={id}, ReasonCode={code})", type)
    }
}
