// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// A program that speaks MQTT, and its line patterns: data only.
struct MQTTLogProgram: Sendable {
  /// Its common name.
  let title: StaticString
  let forms: [MQTTLogForm]
  /// After DISCONNECT, no line reports the end of the connection.
  var endsWithDisconnect = true
  /// Packets may come behind DISCONNECT, until a line says that the connection is closed.
  var saysClose = false
  /// Each line names the client.
  var namesClients = true
  /// A SUBSCRIBE of several filters has a line for each.
  var hasLineForEachFilter = false
  /// It may print what it receives below the packet: `topic payload`.
  var printsPayloads = false
  /// Texts of `MQTTLogForm.silencer`.
  var layers: [StaticString] = []

  /// Patterns for the four acknowledgements of PUBLISH, for a client that prints all of them alike.
  static func replies(_ sent: String, _ received: String, _ rest: String) -> [MQTTLogForm] {
    [MQTTType.puback, .pubrec, .pubrel, .pubcomp].flatMap { type -> [MQTTLogForm] in
      let name = type.name.description + rest
      return [
        .packet(sent + name, type, .toServer), .packet(received + name, type, .toClient),
      ]
    }
  }

  static let all: [MQTTLogProgram] = [
    .mosquitto, .mosquittoClients, .pahoPython, .pahoC, .cocoaMQTT, .emqx, .mqttJS,
    .amqttClient, .amqttBroker, .gmqtt, .homeAssistant, .zigbee2MQTT, .tasmota,
  ]
}
