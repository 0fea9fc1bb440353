// SPDX-License-Identifier: Apache-2.0

/// A field of a log line. Line patterns name fields in braces: `{topic}`.
enum MQTTLogField: String, CaseIterable {
  /// The client identifier of the connection.
  case client, escapedClient
  case user, password
  /// Escaped ones are printed like Python bytes.
  case topic, escapedTopic, willTopic
  /// The packet identifier; 0 when there is none.
  case id
  case qos, retain, dup
  /// The length of the payload.
  case bytes
  /// The payload as text, and as the numbers of its bytes.
  case payload, octets, hexPayload
  /// The payload or its beginning, in an unknown notation.
  case rawPayload
  /// Printed like Python bytes by Home Assistant, which prints at most the first 8192 bytes.
  case homeAssistantPayload
  /// Python's repr of the repr of bytes.
  case printedPayload
  /// The level 3, 4 or 5; and mosquitto's version 1, 2 or 5 for the same.
  case level, version
  case clean, keepAlive
  case willBytes, willQoS, willRetain
  case willPayload
  /// Whether there is one.
  case will
  case present, code
  /// How a client authenticates.
  case authMethod
  /// The flags of PUBLISH and of CONNECT, as sent.
  case publishFlags, connectFlags
  /// The name of a code, as the specification has it.
  case codeName
  /// A word that means success.
  case accepted
  /// One filter, its requested QoS, and its granted QoS.
  case filter, filterQoS, granted
  /// All filters, as Python, EMQX and CocoaMQTT print them.
  case filters, emqxFilters, cocoaFilters
  /// Properties of MQTT 5.0 as Python prints them.
  case properties
  /// Granted QoS of several filters: `1, 2`.
  case codes
  /// Why a connection ended.
  case reason
  /// The packet type in lower case, and the whole packet as Node.js prints objects.
  case type, object
  /// The first byte of a packet, and the bytes after its length, printed like Python bytes.
  case firstByte, packet
  /// Ignored text: digits, a word without blanks, anything.
  case number, word, rest

  /// The allowed characters.
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
