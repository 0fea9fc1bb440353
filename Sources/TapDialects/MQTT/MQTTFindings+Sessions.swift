// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Explained in ``MQTTFindings``.
extension Finding.Code {
  static let mqttBeforeConnect: Self = "mqtt.packet-before-connect"
  static let mqttConnectTwice: Self = "mqtt.connect-twice"
  static let mqttConnackMissing: Self = "mqtt.connack-missing"
  static let mqttConnackNotFirst: Self = "mqtt.connack-not-first"
  static let mqttConnackTwice: Self = "mqtt.connack-twice"
  static let mqttAuthentication: Self = "mqtt.authentication"
  static let mqttConnectRefused: Self = "mqtt.connect-refused"
  static let mqttWrongDirection: Self = "mqtt.wrong-direction"
  static let mqttIDInUse: Self = "mqtt.id-in-use"
  static let mqttAckUnknown: Self = "mqtt.ack-unknown"
  static let mqttAckWrong: Self = "mqtt.ack-wrong"
  static let mqttAckFailed: Self = "mqtt.ack-failed"
  static let mqttSubscribeRefused: Self = "mqtt.subscribe-refused"
  static let mqttQoSDowngraded: Self = "mqtt.qos-downgraded"
  static let mqttAckMissing: Self = "mqtt.ack-missing"
  static let mqttExchangeUnfinished: Self = "mqtt.exchange-unfinished"
  static let mqttPingUnanswered: Self = "mqtt.ping-unanswered"
  static let mqttKeepAliveExceeded: Self = "mqtt.keep-alive-exceeded"
  static let mqttKeepAliveClose: Self = "mqtt.keep-alive-close"
  static let mqttTakenOver: Self = "mqtt.session-taken-over"
  static let mqttOverReceiveMaximum: Self = "mqtt.over-receive-maximum"
  static let mqttPacketTooLarge: Self = "mqtt.packet-too-large"
  static let mqttNotAvailable: Self = "mqtt.qos-not-available"
  static let mqttServerDisconnected: Self = "mqtt.server-disconnected"
  static let mqttAfterDisconnect: Self = "mqtt.after-disconnect"
  static let mqttUncleanEnd: Self = "mqtt.unclean-end"
  static let mqttNoSubscriber: Self = "mqtt.no-subscriber"
  static let mqttSubscriptionLeft: Self = "mqtt.subscription-left-open"
  static let mqttDeliveryUnmatched: Self = "mqtt.delivery-unmatched"
  static let mqttQoSAboveGranted: Self = "mqtt.qos-above-granted"
  static let mqttPasswordInClear: Self = "mqtt.password-in-cleartext"
}

extension MQTTFindings {
  /// About rules that several packets break together.
  static let sessions: [Explanation] = openings + exchanges + endings

  private static let openings: [Explanation] = [
    Explanation(
      .mqttBeforeConnect, .error, "The first packet of a client is not CONNECT.",
      cause: "A client that goes on after a reconnect as if it had never been away.",
      remedy: "Send CONNECT first on each connection.",
      source: "MQTT 5.0 §3.1"),
    Explanation(
      .mqttConnectTwice, .error, "A client sends CONNECT twice on one connection.",
      cause: "A login that is tried again on the same connection.",
      remedy: "Open a new connection; the server closes this one.",
      source: "MQTT 5.0 §3.1"),
    Explanation(
      .mqttConnackMissing, .warning, "CONNECT was not answered before the connection ended.",
      cause: "A server that closes without a word: wrong flags, a banned client, TLS"
        + " that was expected.",
      remedy: "Look at the log of the server at that time.",
      source: "MQTT 5.0 §3.1.4"),
    Explanation(
      .mqttConnackNotFirst, .error, "The first packet of the server is not CONNACK.",
      cause: "A fault of the server, or of a proxy between.",
      remedy: "CONNACK must come first; AUTH may precede it in MQTT 5.0.",
      source: "MQTT 5.0 §3.2"),
    Explanation(
      .mqttConnectRefused, .warning, "The server refused a connection.",
      cause: "What the code says: credentials, the version, the client identifier.",
      remedy: "Codes 4, 5, 134 and 135 are about credentials, 1 and 132 about the"
        + " version, 2 and 133 about the client identifier.",
      source: "MQTT 5.0 §3.2.2.2"),
    Explanation(
      .mqttConnackTwice, .error, "A server sends CONNACK twice on one connection.",
      cause: "A fault of the server: mosquitto 2.0 answers so when a client that authenticates"
        + " again fails.",
      remedy: "A client should take it as DISCONNECT with the same code.",
      source: "MQTT 5.0 §3.2"),
    Explanation(
      .mqttAuthentication, .error, "A packet does not fit the exchange of AUTH packets.",
      cause: "A client that goes on before CONNACK, an AUTH of another method than CONNECT named,"
        + " or an AUTH though CONNECT named none.",
      remedy: "Name the method in CONNECT, keep to it, and wait for CONNACK.",
      source: "MQTT 5.0 §4.12"),
    Explanation(
      .mqttWrongDirection, .error, "A side sends a packet that only the other may send.",
      cause: "Two clients, or two servers, that were connected to each other.",
      remedy: "Look at who is connected to whom.",
      source: "MQTT 5.0 §2.1.2"),
    Explanation(
      .mqttPasswordInClear, .warning, isSecurity: true, "A password is sent without encryption.",
      cause: "A client that uses mqtt:// or ws:// over a network.",
      remedy: "Use TLS: mqtts:// or wss://.",
      source: "MQTT 5.0 §5.4"),
  ]

  private static let exchanges: [Explanation] = [
    Explanation(
      .mqttIDInUse, .error, "A packet identifier is used again before its exchange has ended.",
      cause: "A counter that wraps around, or several parts of a program that count on their own.",
      remedy: "Use an identifier that is free; set DUP if the same message is sent again.",
      source: "MQTT 5.0 §2.2.1"),
    Explanation(
      .mqttAckUnknown, .warning, "An answer has a packet identifier that is not open.",
      cause: "A late or repeated answer, or a session that one side has lost.",
      remedy: "Compare the identifiers of both sides.",
      source: "MQTT 5.0 §2.2.1"),
    Explanation(
      .mqttAckWrong, .warning, "A message is acknowledged as one of another QoS.",
      cause: "A server that treats QoS 2 as 1, as RabbitMQ does.",
      remedy: "Use the QoS that the server supports.",
      source: "MQTT 5.0 §4.3"),
    Explanation(
      .mqttAckFailed, .warning, "A message, or an UNSUBSCRIBE, was acknowledged with a failure.",
      cause: "What the code says: rights, quota, a topic that is not allowed.",
      remedy: "Look at the rights of the client for this topic.",
      source: "MQTT 5.0 §2.4"),
    Explanation(
      .mqttSubscribeRefused, .warning, "The server refused a subscription.",
      cause: "The client lacks the right, or the server does not support the filter.",
      remedy: "Look at the rights of the client for this filter.",
      source: "MQTT 5.0 §3.9.3"),
    Explanation(
      .mqttQoSDowngraded, .note, "A subscription got a lower QoS than it asked for.",
      cause: "A limit of the server.",
      remedy: "Expect messages with the QoS that was granted.",
      source: "MQTT 5.0 §3.8.4"),
    Explanation(
      .mqttAckMissing, .warning, or: .note,
      "A PUBLISH, SUBSCRIBE or UNSUBSCRIBE has no answer when its connection ends.",
      cause: "An overloaded server, or a connection that was lost; then, or where it"
        + " came just before the end, it is a note.",
      remedy: "Look whether the next connection of the session goes on with it.",
      source: "MQTT 5.0 §4.3, §3.8.4, §3.10.4"),
    Explanation(
      .mqttExchangeUnfinished, .warning, or: .note,
      "The exchange of a message of QoS 2 did not end.",
      cause: "One side forgot the message between PUBREC and PUBCOMP, or the connection"
        + " was lost, where it is a note.",
      remedy: "Look whether the next connection of the session goes on with it.",
      source: "MQTT 5.0 §4.3.3"),
    Explanation(
      .mqttOverReceiveMaximum, .error,
      "A side has more messages of QoS 1 and 2 open than the other takes.",
      cause: "A sender that does not look at the Receive Maximum.",
      remedy: "Wait for acknowledgements before the next message.",
      source: "MQTT 5.0 §4.9"),
    Explanation(
      .mqttPacketTooLarge, .error, or: .warning,
      "A packet is larger than the Maximum Packet Size of its receiver.",
      cause: "A payload that is too large for this server or client. It is a warning where a log"
        + " says that the server did not send it for that reason.",
      remedy: "Send less, or let the receiver take more.",
      source: "MQTT 5.0 §3.1.2.11.4"),
    Explanation(
      .mqttNotAvailable, .warning, "A client uses what the server has said it does not support.",
      cause: "A client that does not look at the properties of CONNACK.",
      remedy: "Look at maximumQoS, retainAvailable and the others in CONNACK.",
      source: "MQTT 5.0 §3.2.2.3"),
    Explanation(
      .mqttNoSubscriber, .note, "Nobody has subscribed to the topic of a message.",
      cause: "A topic that is misspelled, or a subscriber that is not there.",
      remedy: "Compare the topic with the filters of subscribers.",
      source: "MQTT 5.0 §2.4"),
    Explanation(
      .mqttDeliveryUnmatched, .warning, or: .note,
      "The server sends a message that matches no filter of the session.",
      cause: "A server that subscribes for its clients, or goes on after UNSUBACK. It is a note"
        + " where a matching filter was unsubscribed: just before, or, for a message of QoS 1 or 2,"
        + " at any time. The server may deliver what it held for it.",
      remedy: "Compare the topic with the filters of the session.",
      source: "MQTT 5.0 §3.3.2.1"),
    Explanation(
      .mqttQoSAboveGranted, .error,
      "The server sends a message with more QoS than it has granted to any filter that it matches.",
      cause: "A server that passes on the QoS of the publisher.",
      remedy: "Send it with the lower one of the QoS of the publisher and that of SUBACK.",
      source: "MQTT 5.0 §3.8.4"),
  ]

  private static let endings: [Explanation] = [
    Explanation(
      .mqttPingUnanswered, .warning, "PINGREQ was not answered.",
      cause: "The server is gone, or the connection is open on one side only.",
      remedy: "Let the client close and connect anew when PINGRESP does not come.",
      source: "MQTT 5.0 §3.12.4"),
    Explanation(
      .mqttKeepAliveExceeded, .warning, or: .note,
      "The client sent nothing for longer than its keep alive.",
      cause: "A program that was suspended. It is a warning where the server should have closed.",
      remedy: "Send PINGREQ in time, or ask for a longer keep alive.",
      source: "MQTT 5.0 §3.1.2.10"),
    Explanation(
      .mqttKeepAliveClose, .warning,
      "The server closed because the client was silent for one and a half times its keep alive.",
      cause: "A program that was suspended, or a network that lost its packets.",
      remedy: "Send PINGREQ in time; the will may have been published.",
      source: "MQTT 5.0 §3.1.2.10"),
    Explanation(
      .mqttTakenOver, .warning,
      "A connection ended because another one has the same client identifier.",
      cause: "Two programs with one identifier, or a client that reconnects before it closes.",
      remedy: "Give each client an identifier of its own.",
      source: "MQTT 5.0 §3.1.4"),
    Explanation(
      .mqttServerDisconnected, .warning, or: .error,
      "The server ended the connection with DISCONNECT.",
      cause: "What the code says. It is an error before MQTT 5.0, where servers have no"
        + " DISCONNECT.",
      remedy: "Look the code up: wamptap explain with its number.",
      source: "MQTT 5.0 §3.14"),
    Explanation(
      .mqttAfterDisconnect, .error, "A side sends packets after its DISCONNECT.",
      cause: "Two parts of a program that share a connection.",
      remedy: "Send DISCONNECT last, and close.",
      source: "MQTT 5.0 §3.14.4"),
    Explanation(
      .mqttUncleanEnd, .note, or: .warning, "A connection ended without DISCONNECT of the client.",
      cause: "A program that ended, or a network that was lost. It is a warning where a"
        + " will is due.",
      remedy: "Send DISCONNECT before closing, unless the will is wanted.",
      source: "MQTT 5.0 §3.1.2.5"),
    Explanation(
      .mqttSubscriptionLeft, .note, "A filter was never unsubscribed, and ends with the session.",
      cause: "Usual where a client ends; it matters where a session lives for long.",
      remedy: "Nothing, unless filters pile up in one session."),
  ]
}
