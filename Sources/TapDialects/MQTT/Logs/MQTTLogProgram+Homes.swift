// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Smart home programs, which log messages and hardly any other packets.
extension MQTTLogProgram {
  /// How many payload bytes Home Assistant prints; a payload of this length may be truncated.
  static let mostOfHomeAssistant = 8192

  /// The integration of Home Assistant at level `debug`. Versions before 2023 do not print the QoS.
  ///
  ///     Received retained message on a/x (qos=0): b'hi'
  ///     Transmitting message on a/x: 'hi', mid: 12, qos: 0
  static let homeAssistant = MQTTLogProgram(
    title: "Home Assistant",
    forms: [("message", 0), ("retained message", 1)].flatMap { message, retain -> [MQTTLogForm] in
      let received = "Received \(message) on {topic}"
      let sent = "Transmitting \(message) on {topic}: '{payload}', mid: {id}"
      return [
        .certain(
          received + " (qos={qos}): b'{homeAssistantPayload}'", .publish, .toClient,
          [.retain: retain]),
        .certain(
          received + " (qos={qos}): b\"{homeAssistantPayload}\"", .publish, .toClient,
          [.retain: retain]),
        .packet(received + ": b'{homeAssistantPayload}'", .publish, .toClient, [.retain: retain]),
        .packet(received + ": b\"{homeAssistantPayload}\"", .publish, .toClient, [.retain: retain]),
        .certain(sent + ", qos: {qos}", .publish, .toServer, [.retain: retain]),
        .certain(sent, .publish, .toServer, [.retain: retain]),
      ]
    } + [
      .certain("Subscribe to {filter}, mid: {id}, qos: {filterQoS}", .subscribe, .toServer),
      .certain("Unsubscribe from {filter}, mid: {id}", .unsubscribe, .toServer),
    ], namesClients: false)

  /// Zigbee2MQTT: it logs what it publishes at level `info`, and what it receives at `debug`.
  ///
  ///     z2m:mqtt: MQTT publish: topic 'zigbee2mqtt/lamp', payload '{"state":"ON"}'
  static let zigbee2MQTT = MQTTLogProgram(
    title: "Zigbee2MQTT",
    forms: [
      .certain(
        "MQTT publish: topic '{topic}', payload '{payload}'", .publish, .toServer),
      .certain(
        "Received MQTT message on '{topic}' with data '{payload}'", .publish, .toClient),
    ], namesClients: false)

  /// Tasmota, a device that logs what it publishes.
  ///
  ///     10:00:06.560 MQT: tele/tasmota_A1B2C3/LWT = Online (retained)
  static let tasmota = MQTTLogProgram(
    title: "Tasmota",
    forms: [
      .certain("MQT: {topic} = {payload} (retained)", .publish, .toServer, [.retain: 1]),
      .certain("MQT: {topic} = {payload}", .publish, .toServer, [.retain: 0]),
      .packet("MQT: Subscribe to {filter}", .subscribe, .toServer),
    ], namesClients: false)
}
