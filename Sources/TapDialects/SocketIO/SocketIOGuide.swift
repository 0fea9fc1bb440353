// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What `wamptap explain` knows of Socket.IO.
enum SocketIOGuide {
  static let packetTypes = Topic.Group("Socket.IO packets", "Socket.IO packet")

  static let topics: [Topic] = [
    topic(
      .connect, "Asks to join a namespace, and answers that.",
      [
        .layout(["0[namespace,][{…}]"]), .answered("CONNECT or CONNECT_ERROR"),
        .beware(
          "What the client sends with it is its login, so all values of it are masked. Up to"
            + " Socket.IO 2 the server joins / unasked."),
        .example([#"40/admin,{"token":"s3cr3t"}"#, #"40/admin,{"sid":"wZX3oN0bSVIhsaknAAAI"}"#]),
      ]),
    topic(.disconnect, "Leaves a namespace; the session stays.", [.layout(["1[namespace,]"])]),
    topic(
      .event, "An event of the application: a list with its name first.",
      [
        .layout(["2[namespace,][ack id][name,arguments…]"]),
        .answered("ACK with the same id, where it has one"),
        .beware("Ids are counted by each side and in each namespace."),
        .example([#"42["chat",{"text":"hi"}]"#, #"42/admin,12["kick","joe"]"#]),
      ]),
    topic(
      .ack, "Answers an event that has an id.",
      [.layout(["3[namespace,]id[arguments…]"]), .answers("EVENT"), .example(["4312[true]"])]),
    topic(
      .connectError, "Refuses a namespace.",
      [
        .layout([#"4[namespace,]{"message":text,"data":any}"#]), .answers("CONNECT"),
        .example([#"44/admin,{"message":"not authorized"}"#]),
      ]),
    topic(
      .binaryEvent, "An event with binary values, which follow as binary messages.",
      [
        .layout([#"5count-[namespace,][ack id][name,{"_placeholder":true,"num":0},…]"#]),
        .beware("It is shown with its last attachment, and with all of them in their places."),
        .example([#"451-["file",{"_placeholder":true,"num":0}]"#]),
      ]),
    topic(
      .binaryAck, "An ack with binary values, which follow as binary messages.",
      [
        .layout([#"6count-[namespace,]id[{"_placeholder":true,"num":0},…]"#]),
        .answers("EVENT or BINARY_EVENT"),
      ]),
  ]

  private static func topic(
    _ kind: SocketIOPacket.Kind, _ summary: String, _ parts: [Topic.Part]
  ) -> Topic {
    Topic(
      packetTypes, "\(kind.name)", summary, label: "Socket.IO packet \(kind.rawValue)",
      numbers: UInt64(kind.rawValue)...UInt64(kind.rawValue), parts,
      source: "socket.io-protocol, \"Packet types\"")
  }
}
