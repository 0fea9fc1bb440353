// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Explained in ``MQTTFindings``.
extension Finding.Code {
  static let mqttReservedBits: Self = "mqtt.reserved-bits"
  static let mqttTypeReserved: Self = "mqtt.type-reserved"
  static let mqttLength: Self = "mqtt.length"
  static let mqttUTF8: Self = "mqtt.utf8"
  static let mqttIDZero: Self = "mqtt.id-zero"
  static let mqttPublishQoS3: Self = "mqtt.publish-qos3"
  static let mqttDupQoS0: Self = "mqtt.dup-qos0"
  static let mqttTopicWildcard: Self = "mqtt.topic-wildcard"
  static let mqttTopicEmpty: Self = "mqtt.topic-empty"
  static let mqttFilterInvalid: Self = "mqtt.filter-invalid"
  static let mqttFilterListEmpty: Self = "mqtt.filter-list-empty"
  static let mqttTooManyFilters: Self = "mqtt.too-many-filters"
  static let mqttShareNoLocal: Self = "mqtt.share-no-local"
  static let mqttProtocolName: Self = "mqtt.protocol-name"
  static let mqttConnectFlags: Self = "mqtt.connect-flags"
  static let mqttClientID: Self = "mqtt.client-id"
  static let mqttPropertyInvalid: Self = "mqtt.property-invalid"
  static let mqttReasonCode: Self = "mqtt.reason-code"
  static let mqttSubackLength: Self = "mqtt.suback-length"
  static let mqttPayloadFormat: Self = "mqtt.payload-format"
  static let mqttAliasUnknown: Self = "mqtt.alias-unknown"
  static let mqttAliasTooLarge: Self = "mqtt.alias-too-large"
  static let mqttWebSocketText: Self = "mqtt.websocket-text"
  static let mqttIncomplete: Self = "mqtt.incomplete"
  static let mqttNotRead: Self = "mqtt.not-read"
  static let mqttLevelInferred: Self = "mqtt.level-inferred"
  static let mqttResumed: Self = "mqtt.resumed"
}

enum MQTTFindings {
  static let all: [Explanation] = packets + sessions

  private static let packets: [Explanation] = [
    Explanation(
      .mqttReservedBits, .error, or: .warning,
      "Bits that are reserved or fixed have another value.",
      cause: "A fault in the encoder of the sender, or bytes that are no packet.",
      remedy: "Compare the packet with the specification; receivers close such a connection.",
      source: "MQTT 5.0 §2.1.3"),
    Explanation(
      .mqttTypeReserved, .error, "A packet has a type that its version does not have.",
      cause: "The reader lost its place, or a client of MQTT 5.0 sends AUTH in an older version.",
      remedy: "Look at what precedes it: a length that was wrong moves all that follows.",
      source: "MQTT 5.0 §2.1.2"),
    Explanation(
      .mqttLength, .error, or: .warning,
      "The content of a packet does not fill its remaining length, or a length is malformed.",
      cause: "An encoder that counts wrongly, or a field that is missing.",
      remedy: "Compare the packet with its layout: wamptap explain with the name of its type."
        + " It is a warning where a length only takes more bytes than it needs.",
      source: "MQTT 5.0 §2.1.4, §1.5.5"),
    Explanation(
      .mqttUTF8, .error, "A text is no UTF-8, or has the character U+0000.",
      cause: "A client identifier or topic made of bytes, or of another character set.",
      remedy: "Encode all texts as UTF-8; receivers close such a connection.",
      source: "MQTT 5.0 §1.5.4"),
    Explanation(
      .mqttIDZero, .error, "A packet identifier is 0 where one is needed.",
      cause: "A counter that begins at 0, or wraps around to it.",
      remedy: "Count from 1 to 65535.", source: "MQTT 5.0 §2.2.1"),
    Explanation(
      .mqttPublishQoS3, .error, "A PUBLISH has both QoS bits set.",
      cause: "A fault in the encoder of the sender.",
      remedy: "QoS is 0, 1 or 2; receivers close such a connection.",
      source: "MQTT 5.0 §3.3.1.2"),
    Explanation(
      .mqttDupQoS0, .warning, "A PUBLISH of QoS 0 says that it is sent again.",
      cause: "A client that sets DUP on whatever it sends after a reconnect.",
      remedy: "Clear DUP for QoS 0: such a message is sent once.", source: "MQTT 5.0 §3.3.1.1"),
    Explanation(
      .mqttTopicWildcard, .error, "A topic name has a wildcard.",
      cause: "A filter was used where a topic belongs.",
      remedy: "Publish to one topic; + and # are for subscriptions.",
      source: "MQTT 5.0 §3.3.2.1, §4.7.1"),
    Explanation(
      .mqttTopicEmpty, .error, "A topic name is empty, and no alias stands for it.",
      cause: "A topic that was not set, or an alias that was left out.",
      remedy: "Send the topic, or the alias that stands for it.", source: "MQTT 5.0 §4.7.3"),
    Explanation(
      .mqttFilterInvalid, .error, "A topic filter breaks the rules of wildcards or shares.",
      cause: "A # ahead of the last level, a + beside other characters, or $share without a name.",
      remedy: "A wildcard takes a whole level; a shared filter is $share/NAME/FILTER.",
      source: "MQTT 5.0 §4.7.1, §4.8.2"),
    Explanation(
      .mqttFilterListEmpty, .error, "SUBSCRIBE or UNSUBSCRIBE has no filter.",
      cause: "A client that sends its list even when that is empty.",
      remedy: "Send nothing instead.", source: "MQTT 5.0 §3.8.3, §3.10.3"),
    Explanation(
      .mqttTooManyFilters, .warning, "A packet has more filters than are read.",
      cause: "Thousands of filters in one SUBSCRIBE.",
      remedy: "Those that are not listed are not judged, either."),
    Explanation(
      .mqttShareNoLocal, .error, "A shared subscription asks for No Local.",
      cause: "The option was set for all subscriptions alike.",
      remedy: "Clear No Local for filters that begin with $share/.",
      source: "MQTT 5.0 §3.8.3.1"),
    Explanation(
      .mqttProtocolName, .error, "CONNECT names a protocol or a version that does not exist.",
      cause: "A client of a draft, one that writes the length of the name otherwise, or bytes of"
        + " something else.",
      remedy: "MQTT with 4 or 5, or MQIsdp with 3, behind the length of the name in two bytes, the"
        + " high one first.", source: "MQTT 5.0 §3.1.2.1, §3.1.2.2"),
    Explanation(
      .mqttConnectFlags, .error, "The flags of CONNECT contradict each other.",
      cause: "A QoS or RETAIN of a will that is not there, or a password without a user name.",
      remedy: "Set the flags by the fields that follow.", source: "MQTT 5.0 §3.1.2"),
    Explanation(
      .mqttClientID, .note, or: .warning, "The client identifier is empty, or too long.",
      cause: "An empty one asks the server to choose. It is a warning where the version, or a"
        + " session that is to be kept, forbids that.",
      remedy: "Give each client a name of its own.", source: "MQTT 5.0 §3.1.3.1"),
    Explanation(
      .mqttPropertyInvalid, .error,
      "A property is unknown, repeated, out of range, or belongs in another packet.",
      cause: "A fault in the encoder of the sender.",
      remedy: "Look the property up: wamptap explain with its name.", source: "MQTT 5.0 §2.2.2"),
    Explanation(
      .mqttReasonCode, .error, "A code has no meaning in the packet that it stands in.",
      cause: "A code of another packet, or of another version.",
      remedy: "Look the code up: wamptap explain with its name.", source: "MQTT 5.0 §2.4"),
    Explanation(
      .mqttSubackLength, .error, "An answer has another number of codes than there were filters.",
      cause: "A server that gives one code for all.",
      remedy: "One code for each filter, in their order.", source: "MQTT 5.0 §3.9.3, §3.11.3"),
    Explanation(
      .mqttPayloadFormat, .note, "A payload is not what the properties of its message say.",
      cause: "Properties that are the same for all messages of a client.",
      remedy: "Set the payload format and the content type by what is sent.",
      source: "MQTT 5.0 §3.3.2.3"),
    Explanation(
      .mqttAliasUnknown, .error, or: .note, "A topic alias was not set before it was used.",
      cause: "An alias of an earlier connection. It is a note where the alias may have been set"
        + " in bytes that were not captured.",
      remedy: "Send topic and alias once on each connection before the alias alone.",
      source: "MQTT 5.0 §3.3.2.3.4"),
    Explanation(
      .mqttAliasTooLarge, .error, "A topic alias is 0, or above what the receiver takes.",
      cause: "A client that does not look at the Topic Alias Maximum of CONNACK.",
      remedy: "Use 1 to the maximum of the other side, which is 0 where it says nothing.",
      source: "MQTT 5.0 §3.3.2.3.4"),
    Explanation(
      .mqttWebSocketText, .error, "Packets are sent in text messages of WebSocket.",
      cause: "A proxy or client that turns bytes into text.",
      remedy: "Send binary messages; text that is no UTF-8 ends the connection.",
      source: "MQTT 5.0 §6.0"),
    Explanation(
      .mqttIncomplete, .warning, or: .note, isLoss: true,
      "Not all bytes of a packet were captured.",
      cause: "A gap in the capture, or an end inside of a packet. It is a note where the capture"
        + " ends.",
      remedy: "Nothing is shown of such a packet; packets behind it are read on."),
    Explanation(
      .mqttNotRead, .warning, "A packet is larger than what is put together.",
      cause: "A payload of many megabytes, or a length that is wrong.",
      remedy: "Nothing is shown of it; packets behind it are read on."),
    Explanation(
      .mqttLevelInferred, .note, or: .warning,
      "The version of MQTT is concluded from the form of a packet.",
      cause: "CONNECT, which names the version, was not captured or not pasted. It is a warning"
        + " where a packet shows that PUBLISH packets before it were read as of the other version.",
      remedy: "Begin the capture before the connection to be sure."),
    Explanation(
      .mqttResumed, .warning, or: .note,
      "Packets were found again by their form, in bytes whose beginning was not captured.",
      cause: "A gap in the capture, or a capture that began later than the connection, where it is"
        + " a note.",
      remedy: "What was lost is said; nothing is judged that it could explain."),
  ]
}
