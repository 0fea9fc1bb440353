// SPDX-License-Identifier: Apache-2.0
import TapTraffic

extension MQTTLogProgram {
  /// gmqtt at `DEBUG`: all bytes that it receives, and the topics that it sends. It does not log
  /// CONNECT, PINGREQ, DISCONNECT and its answers to PUBLISH.
  ///
  ///     [MqttPackageHandler] cmd: 0x32, packet: b'\x00\x03b/x\x00\x02\x00'
  static let gmqtt = MQTTLogProgram(
    title: "gmqtt",
    forms: [
      // An internal event when the connection has ended, not a packet.
      .hides("[MqttPackageHandler] cmd: 0xe0, packet: b''"),
      .octets("[MqttPackageHandler] cmd: {firstByte}, packet: b'{packet}'", .toClient),
      .octets(#"[MqttPackageHandler] cmd: {firstByte}, packet: b"{packet}""#, .toClient),
      .packet("[SEND SUB] {id} [{filters}]", .subscribe, .toServer),
      .packet("[SEND UNSUB] {filters}", .unsubscribe, .toServer),
      .packet(publish + " (NULL payload)", .publish, .toServer, [.bytes: 0]),
      .packet(publish + ", ... ({bytes} bytes)", .publish, .toServer),
      .adds("NEW ID: {id}", to: .publish),
      .prepares("NEW ID: {id}", .unsubscribe),
      .opens("[CONNECTION MADE]"),
      .ends("[CONN CLOSE NORMALLY]", by: .unknown),
      .ends("[EXC: CONN LOST]", by: .unknown, "connection lost"),
    ], namesClients: false)

  private static let publish = "Sending PUBLISH (q{qos}), 'b'{escapedTopic}''"
}
