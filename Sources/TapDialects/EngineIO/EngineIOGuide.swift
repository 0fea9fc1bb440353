// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What `wamptap explain` knows of Engine.IO.
enum EngineIOGuide {
  static let packetTypes = Topic.Group("Engine.IO packets", "Engine.IO packet")

  static let topics: [Topic] = [
    topic(
      .open, "Opens a session and says how it is to be kept.",
      [
        .layout([
          #"0{"sid":text,"upgrades":list,"pingInterval":ms,"pingTimeout":ms,"maxPayload":bytes}"#
        ]),
        .sender("the server, first, on whatever transport the session begins"),
        .beware("The sid is a credential: who has it can read and write a polling session."),
        .example([
          #"0{"sid":"x","upgrades":["websocket"],"pingInterval":25000,"pingTimeout":20000}"#
        ]),
      ]),
    topic(
      .close, "Ends a session.",
      [.layout(["1"]), .beware("It is often missing: the connection closes first.")]),
    topic(
      .ping, "Asks whether the other side is there; with `probe`, whether a transport works.",
      [
        .layout(["2", "2probe"]), .answered("PONG with the same text"),
        .beware("From revision 4 on the server pings, before that the client."),
      ]),
    topic(.pong, "Answers a PING.", [.layout(["3", "3probe"]), .answers("PING")]),
    topic(
      .message, "Carries a message: a packet of Socket.IO, or anything else.",
      [
        .layout(["4text", "b base64 (in a text that carries a binary message)"]),
        .example([#"42["chat",{"text":"hi"}]"#]),
      ]),
    topic(
      .upgrade, "Moves the session to the transport that it is sent on.",
      [.layout(["5"]), .sender("the client, behind the answer to its probe")]),
    topic(
      .noop, "Ends a polling request that waits, so that the session can move.",
      [.layout(["6"]), .sender("the server")]),
  ]

  private static func topic(
    _ type: EngineIOType, _ summary: String, _ parts: [Topic.Part]
  ) -> Topic {
    Topic(
      packetTypes, "\(type.name)", summary, label: "Engine.IO packet \(type.rawValue)",
      numbers: UInt64(type.rawValue)...UInt64(type.rawValue), parts, source: "engine.io-protocol")
  }
}
