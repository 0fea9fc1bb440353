// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// A program that speaks MQTT, and the forms of the lines that it logs: data only.
struct MQTTLogProgram: Sendable {
  /// As people call it.
  let title: StaticString
  let forms: [MQTTLogForm]
  /// Nothing comes behind DISCONNECT that says that the connection has ended.
  var endsWithDisconnect = true
  /// Each line says whose connection it is about.
  var namesClients = true
  /// A SUBSCRIBE of several filters has a line for each.
  var hasLineForEachFilter = false
  /// Words of lines that say the same twice; see `MQTTLogForm.silencer`.
  var layers: [StaticString] = []

  /// The four packets that answer PUBLISH, of a client that prints all of them alike.
  static func replies(_ sent: String, _ received: String, _ rest: String) -> [MQTTLogForm] {
    [MQTTType.puback, .pubrec, .pubrel, .pubcomp].flatMap { type -> [MQTTLogForm] in
      let name = type.name.description + rest
      return [
        .packet(sent + name, type, .toServer), .packet(received + name, type, .toClient),
      ]
    }
  }

  static let all: [MQTTLogProgram] = [
    .mosquitto, .mosquittoClients, .pahoPython, .pahoC, .cocoaMQTT, .emqx, .mqttJS, .amqtt,
    .gmqtt, .homeAssistant, .zigbee2MQTT, .tasmota,
  ]
}
