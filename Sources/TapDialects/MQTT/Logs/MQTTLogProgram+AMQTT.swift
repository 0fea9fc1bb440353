// SPDX-License-Identifier: Apache-2.0
import TapTraffic

extension MQTTLogProgram {
  /// amqtt with its `PacketLoggerPlugin` at level `DEBUG`.
  ///
  ///     amqtt.client.plugins.PacketLoggerPlugin - app -out-> PubackPacket(ts=…, fixed=…, …)
  static let amqttClient = MQTTLogProgram(
    title: "amqtt", forms: amqttForms("client", [(" -out-> ", .toServer), (" <-in-- ", .toClient)]))
  /// The broker may be in the same process, and in the same log.
  static let amqttBroker = MQTTLogProgram(
    title: "the broker of amqtt",
    forms: amqttForms("broker", [(" <-in-- ", .toServer), (" -out-> ", .toClient)]))

  private static func amqttForms(_ side: String, _ arrows: [(String, Direction)]) -> [MQTTLogForm] {
    var forms: [MQTTLogForm] = []
    for (arrow, direction) in arrows {
      let name = "amqtt.\(side).plugins.PacketLoggerPlugin - "
      for (packet, type) in amqttPackets {
        // At CONNECT, the broker's log has no client name yet.
        if side == "broker" && type == .connect {
          forms.append(.certain(name + arrow.dropFirst() + packet, type, direction))
        }
        forms.append(.certain(name + "{client}" + arrow + packet, type, direction))
      }
    }
    return forms
  }

  private static func fixed(_ name: String, flags: String = "{number}") -> String {
    "\(name)Packet(ts={rest}, fixed=MQTTFixedHeader(packet_type={number}, flags=\(flags), "
      + "length={number}), variable="
  }

  private static let numbered = "PacketIdVariableHeader(packet_id={id}), payload="
  private static let login =
    fixed("Connect") + "ConnectVariableHeader(proto_name={rest}, proto_level={level}, "
    + "flags={connectFlags}, keepalive={keepAlive}), payload=ConnectVariableHeader("
    + "client_id={client}, will_topic={willTopic},will_message={rest}, "
  private static let message =
    fixed("Publish", flags: "{publishFlags}")
    + "PublishVariableHeader(topic={topic}, packet_id={id}), payload="

  private static let amqttPackets: [(String, MQTTType)] =
    [
      (login + "username=None, password=None))", .connect),
      (login + "username={user}, password=None))", .connect),
      (login + "username={user}, password={password}))", .connect),
      (
        fixed("Connack")
          + "ConnackVariableHeader(session_parent={present}, return_code={code}), payload={rest})",
        .connack
      ),
      // Python's repr of bytes, inside Python's repr of a text.
      (message + #"PublishPayload(data="b'{printedPayload}'"))"#, .publish),
      (message + #"PublishPayload(data='b\'{printedPayload}\''))"#, .publish),
      (message + #"PublishPayload(data='b"{printedPayload}"'))"#, .publish),
      (message + "{rest})", .publish),
      (fixed("Subscribe") + numbered + "SubscribePayload(topics=[{filters}]))", .subscribe),
      (fixed("Suback") + numbered + "SubackPayload(return_codes=[{codes}]))", .suback),
      (fixed("Unsubscribe") + numbered + "{rest})", .unsubscribe),
      (fixed("Unsuback") + numbered + "{rest})", .unsuback),
      (fixed("PingReq") + "{rest})", .pingreq), (fixed("PingResp") + "{rest})", .pingresp),
      (fixed("Disconnect") + "{rest})", .disconnect),
      (fixed("Puback") + numbered + "{rest})", .puback),
      (fixed("Pubrec") + numbered + "{rest})", .pubrec),
      (fixed("Pubrel") + numbered + "{rest})", .pubrel),
      (fixed("Pubcomp") + numbered + "{rest})", .pubcomp),
    ]
}
