// SPDX-License-Identifier: Apache-2.0

/// What stands at one place of a line of a log. Forms of lines name them in braces: `{topic}`.
enum MQTTLogField: String, CaseIterable {
  /// Whose connection it is.
  case client, escapedClient
  case user, password
  /// Those that are escaped stand there as Python prints bytes.
  case topic, escapedTopic, willTopic
  /// The packet identifier; 0 where there is none.
  case id
  case qos, retain, dup
  /// Of the payload.
  case bytes
  /// The payload as text, and as the numbers of its bytes.
  case payload, octets, hexPayload
  /// Its beginning, or more of it, in no certain form.
  case rawPayload
  /// As Python prints bytes: of Home Assistant, which prints no more than the first 8192.
  case homeAssistantPayload
  /// As Python prints the text that it prints of bytes.
  case printedPayload
  /// 3, 4 or 5; and mosquitto's 1, 2 or 5 for the same.
  case level, version
  case clean, keepAlive
  case willBytes, willQoS, willRetain
  case willPayload
  /// Whether there is one.
  case will
  case present, code
  /// The flags of PUBLISH and of CONNECT, as they are sent.
  case publishFlags, connectFlags
  /// The name of a code, as the specification has it.
  case codeName
  /// What stands for success where that is said in words.
  case accepted
  /// One filter, the QoS that is asked for it, and the one that is granted.
  case filter, filterQoS, granted
  /// All filters, as Python, EMQX and CocoaMQTT print them.
  case filters, emqxFilters, cocoaFilters
  /// Properties of MQTT 5.0 as Python prints them.
  case properties
  /// Granted QoS of several filters: `1, 2`.
  case codes
  /// Why a connection ended.
  case reason
  /// The type of the packet in small letters, and all of it as Node.js prints objects.
  case type, object
  /// The first byte of a packet, and what is behind its length, as Python prints bytes.
  case firstByte, packet
  /// What is not read: digits, something without a blank, anything.
  case number, word, rest

  /// What may stand there.
  enum Kind {
    /// Letters and digits.
    case symbol
    /// No blank.
    case word
    case text
  }

  var kind: Kind {
    switch self {
    case .id, .qos, .retain, .dup, .bytes, .level, .version, .clean, .keepAlive, .willBytes,
      .willQoS, .willRetain, .will, .present, .code, .filterQoS, .granted, .number, .type,
      .publishFlags, .connectFlags, .firstByte:
      .symbol
    case .word: .word
    default: .text
    }
  }
}
