// SPDX-License-Identifier: Apache-2.0
import TapTraffic

extension MQTTLogProgram {
  /// The Node.js library with `DEBUG=mqttjs*,mqtt-packet*`. It logs a received packet when it has
  /// parsed it, and again when it handles it.
  ///
  ///     mqttjs:client sendPacket :: packet: { cmd: 'puback', messageId: 1, reasonCode: 0 }
  static let mqttJS = MQTTLogProgram(
    title: "MQTT.js",
    forms: [
      .prepares(client + "MqttClient :: clientId {client}", .connect),
      .prepares(client + "MqttClient :: options.protocolVersion {level}", .connect),
      .prepares(client + "MqttClient :: options.keepalive {keepAlive}", .connect),
      .prepares(client + "MqttClient :: options.username {user}", .connect),
      // Versions 4 and 5.
      .certain(client + "sendPacket :: packet: {object}", .publish, .toServer),
      .certain(client + "_writePacket :: packet: {object}", .publish, .toServer),
      .certain(client + "_handlePublish: packet Packet {object}", .publish, .toClient),
      .certain(client + "handlePublish: packet Packet {object}", .publish, .toClient),
      .prepares(parser + "_parseMessageId: packet.messageId {id}", .publish),
      MQTTLogForm.certain(
        parser + "_newPacket: parser emit packet: packet.cmd: publish, packet.payload: "
          + "{payload}, packet.length: {number}", .publish, .toClient
      ).silenced(by: client),
      .certain(
        parser + "_newPacket: parser emit packet: packet.cmd: {type}, packet.payload: null, "
          + "packet.length: {number}", .publish, .toClient),
      MQTTLogForm.certain(client + "_handleConnack", .connack, .toClient).silenced(by: parser),
      MQTTLogForm.certain(client + "handling pubrel packet", .pubrel, .toClient)
        .silenced(by: parser),
      MQTTLogForm.certain(client + "_handleAck :: packet type {type}", .publish, .toClient)
        .silenced(by: parser),
      // Without the client's lines, the writer's lines show what is sent.
      MQTTLogForm.certain(writer + "publish: packet: {object}", .publish, .toServer)
        .silenced(by: client),
      .hides(writer + "generate: packet.cmd: publish"),
      MQTTLogForm.certain(writer + "generate: packet.cmd: {type}", .publish, .toServer)
        .silenced(by: client),
      .hides(writer + "writeString: {rest}"),
      .closes(client + "({client})stream :: on close"),
      // Payloads that are in the lines of their packets, too.
      .hides(client + "publish :: message {rest}"),
      .hides(writer + "publish: payload: {rest}"),
      .hides(parser + "_parsePublish: payload from buffer list: {rest}"),
    ], saysClose: true, namesClients: false, layers: [client, parser])

  private static let client: StaticString = "mqttjs:client "
  private static let writer: StaticString = "mqtt-packet:writeToStream "
  private static let parser: StaticString = "mqtt-packet:parser "
}

private func + (words: StaticString, text: String) -> String { words.description + text }
