// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// The packets, in the order of their types (MQTT 5.0 §3).
extension MQTTGuide {
  static let sessionPackets: [Topic] = [
    packet(
      .connect, "Opens a connection and names the session by its client identifier.",
      [
        .sender("the client, as its first packet and once"),
        .layout([
          "protocol name, version, flags, keep alive, [5.0: properties], client identifier,",
          "[will: [5.0: properties], topic, payload], [user name], [password]",
        ]),
        .answered("CONNACK; in MQTT 5.0 AUTH may come first"),
        .beware("A client may send other packets before CONNACK arrives."),
      ], source: "MQTT 5.0 §3.1, MQTT 3.1.1 §3.1"),
    packet(
      .connack, "Accepts or refuses a connection.",
      [
        .sender("the server, as its first packet; in MQTT 5.0 AUTH may precede it"),
        .layout(["flags (bit 0: session present), code, [5.0: properties]"]),
        .answers("CONNECT"),
        .beware(
          "Before 5.0 the codes are 0 accepted, 1 unacceptable protocol version, 2 identifier"
            + " rejected, 3 server unavailable, 4 bad user name or password, 5 not authorized."),
      ], source: "MQTT 5.0 §3.2, MQTT 3.1.1 §3.2"),
  ]

  static let messagePackets: [Topic] = [
    packet(
      .publish, "Carries a message of the application to a topic.",
      [
        .sender("both sides"),
        .layout(["topic, [QoS 1 and 2: packet identifier], [5.0: properties], payload"]),
        .answered("nothing for QoS 0, PUBACK for QoS 1, PUBREC for QoS 2"),
        .beware(
          "Each side counts its own packet identifiers. RETAIN to a client means that the message"
            + " is an old one, sent because of a new subscription."),
      ], source: "MQTT 5.0 §3.3, MQTT 3.1.1 §3.3"),
    packet(
      .puback, "Ends the exchange of a message of QoS 1.",
      [.layout(replyLayout), .answers("PUBLISH with this packet identifier")],
      source: "MQTT 5.0 §3.4, MQTT 3.1.1 §3.4"),
    packet(
      .pubrec, "Says that a message of QoS 2 has arrived.",
      [
        .layout(replyLayout), .answers("PUBLISH with this packet identifier"),
        .answered("PUBREL; with a code from 128 on the exchange ends here"),
      ], source: "MQTT 5.0 §3.5, MQTT 3.1.1 §3.5"),
    packet(
      .pubrel, "Says that a message of QoS 2 will not be sent again.",
      [.layout(replyLayout), .answers("PUBREC"), .answered("PUBCOMP")],
      source: "MQTT 5.0 §3.6, MQTT 3.1.1 §3.6"),
    packet(
      .pubcomp, "Ends the exchange of a message of QoS 2.",
      [.layout(replyLayout), .answers("PUBREL; the time shown is that since PUBLISH")],
      source: "MQTT 5.0 §3.7, MQTT 3.1.1 §3.7"),
  ]

  private static let replyLayout = ["packet identifier, [5.0: reason code, properties]"]

  static let subscriptionPackets: [Topic] = [
    packet(
      .subscribe, "Asks for the messages of topics that match filters.",
      [
        .sender("the client"),
        .layout(["packet identifier, [5.0: properties], one or more of: filter, options"]),
        .answered("SUBACK with one code for each filter"),
        .beware(
          "+ matches one level of a topic, # all that follow; neither matches a topic that begins"
            + " with $. $share/NAME/FILTER shares the messages among its subscribers."),
      ], source: "MQTT 5.0 §3.8, §4.7, MQTT 3.1.1 §3.8"),
    packet(
      .suback, "Says for each filter which QoS was granted, or why it was refused.",
      [
        .sender("the server"),
        .layout(["packet identifier, [5.0: properties], one code for each filter"]),
        .answers("SUBSCRIBE with this packet identifier"),
        .beware("0, 1 and 2 grant that QoS, which may be lower than asked; 128 and more refuse."),
      ], source: "MQTT 5.0 §3.9, MQTT 3.1.1 §3.9"),
    packet(
      .unsubscribe, "Gives filters back.",
      [
        .sender("the client"),
        .layout(["packet identifier, [5.0: properties], one or more filters"]),
        .answered("UNSUBACK"),
      ], source: "MQTT 5.0 §3.10, MQTT 3.1.1 §3.10"),
    packet(
      .unsuback, "Says that filters were given back.",
      [
        .sender("the server"),
        .layout(["packet identifier, [5.0: properties, one code for each filter]"]),
        .answers("UNSUBSCRIBE with this packet identifier"),
      ], source: "MQTT 5.0 §3.11, MQTT 3.1.1 §3.11"),
  ]

  static let otherPackets: [Topic] = [
    packet(
      .pingreq, "Says that the client is alive when it has nothing else to send.",
      [.sender("the client"), .layout(["nothing"]), .answered("PINGRESP")],
      source: "MQTT 5.0 §3.12, MQTT 3.1.1 §3.12"),
    packet(
      .pingresp, "Says that the server is alive.",
      [.sender("the server"), .layout(["nothing"]), .answers("PINGREQ")],
      source: "MQTT 5.0 §3.13, MQTT 3.1.1 §3.13"),
    packet(
      .disconnect, "Ends a connection in good order.",
      [
        .sender("the client; in MQTT 5.0 the server, too"),
        .layout(["nothing; 5.0: [reason code, [properties]]"]),
        .beware(
          "Without it the server publishes the will. In MQTT 5.0 only code 0 discards the will."),
      ], source: "MQTT 5.0 §3.14, MQTT 3.1.1 §3.14"),
    packet(
      .auth, "One step of an authentication that takes several.",
      [
        .sender("both sides, in MQTT 5.0 only"), .layout(["[reason code, [properties]]"]),
        .answered("AUTH, CONNACK or DISCONNECT"),
      ], source: "MQTT 5.0 §3.15"),
  ]
}
