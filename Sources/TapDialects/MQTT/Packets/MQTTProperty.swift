// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// A property of MQTT 5.0, by its identifier (§2.2.2.2).
enum MQTTProperty: UInt8, CaseIterable, Sendable {
  case payloadFormatIndicator = 1
  case messageExpiryInterval = 2
  case contentType = 3
  case responseTopic = 8
  case correlationData = 9
  case subscriptionIdentifier = 11
  case sessionExpiryInterval = 17
  case assignedClientIdentifier = 18
  case serverKeepAlive = 19
  case authenticationMethod = 21
  case authenticationData = 22
  case requestProblemInformation = 23
  case willDelayInterval = 24
  case requestResponseInformation = 25
  case responseInformation = 26
  case serverReference = 28
  case reasonString = 31
  case receiveMaximum = 33
  case topicAliasMaximum = 34
  case topicAlias = 35
  case maximumQoS = 36
  case retainAvailable = 37
  case userProperty = 38
  case maximumPacketSize = 39
  case wildcardSubscriptionAvailable = 40
  case subscriptionIdentifierAvailable = 41
  case sharedSubscriptionAvailable = 42

  enum Form: Sendable {
    /// One byte, 0 or 1, shown as a number.
    case bit
    /// One byte, 0 or 1, shown as a boolean.
    case flag
    case uint16, uint32, variable
    case string, binary, pair

    var words: String {
      switch self {
      case .bit, .flag: "byte, 0 or 1"
      case .uint16: "two byte integer"
      case .uint32: "four byte integer"
      case .variable: "variable byte integer"
      case .string: "UTF-8 string"
      case .binary: "binary data"
      case .pair: "pair of UTF-8 strings"
      }
    }
  }

  struct Entry: Sendable {
    /// Its key in bodies.
    var key: StaticString
    /// The short name that a line shows; not always that of the specification.
    var words: StaticString
    var form: Form
    /// The packets that may have it.
    var places: MQTTTypes
    /// Its meaning, for users.
    var meaning: StaticString
    /// 0 is a protocol error.
    var isNeverZero: Bool

    init(
      _ key: StaticString, _ words: StaticString, _ form: Form, _ places: MQTTTypes,
      _ meaning: StaticString, isNeverZero: Bool = false
    ) {
      (self.key, self.words, self.form, self.places) = (key, words, form, places)
      (self.meaning, self.isNeverZero) = (meaning, isNeverZero)
    }
  }

  private static let replies: MQTTTypes = [
    .connack, .puback, .pubrec, .pubrel, .pubcomp, .suback, .unsuback, .disconnect, .auth,
  ]
  private static let messages = MQTTTypes.will.union([.publish])

  /// Its bit in sets of properties.
  var bit: UInt64 { 1 << UInt64(rawValue) }

  var entry: Entry { Self.table[Int(rawValue)]! }

  /// By identifier.
  static let table: [Entry?] = {
    var table = [Entry?](repeating: nil, count: 43)
    for (property, entry) in entries { table[Int(property.rawValue)] = entry }
    return table
  }()

  private static let entries: [MQTTProperty: Entry] = [
    .payloadFormatIndicator: Entry(
      "payloadFormatIndicator", "payload format", .bit, messages, "0: bytes, 1: UTF-8"),
    .messageExpiryInterval: Entry(
      "messageExpiryInterval", "message expiry", .uint32, messages,
      "seconds until the message is of no use"),
    .contentType: Entry(
      "contentType", "content type", .string, messages, "what the payload is, often a MIME type"),
    .responseTopic: Entry(
      "responseTopic", "answer to", .string, messages, "the topic on which an answer is wanted"),
    .correlationData: Entry(
      "correlationData", "correlation", .binary, messages, "sent back with the answer"),
    .subscriptionIdentifier: Entry(
      "subscriptionIdentifier", "subscription", .variable, [.subscribe, .publish],
      "the number of the subscription that a message is sent for", isNeverZero: true),
    .sessionExpiryInterval: Entry(
      "sessionExpiryInterval", "session expiry", .uint32, [.connect, .connack, .disconnect],
      "seconds that the session outlives its connection; 4294967295: for ever"),
    .assignedClientIdentifier: Entry(
      "assignedClientIdentifier", "assigned client", .string, [.connack],
      "the client identifier that the server chose"),
    .serverKeepAlive: Entry(
      "serverKeepAlive", "server keep alive", .uint16, [.connack],
      "seconds; replaces what the client asked for"),
    .authenticationMethod: Entry(
      "authenticationMethod", "authentication", .string, [.connect, .connack, .auth],
      "the method, such as SCRAM-SHA-1"),
    .authenticationData: Entry(
      "authenticationData", "authentication data", .binary, [.connect, .connack, .auth],
      "what the method sends"),
    .requestProblemInformation: Entry(
      "requestProblemInformation", "request problem information", .flag, [.connect],
      "whether reason strings are wanted"),
    .willDelayInterval: Entry(
      "willDelayInterval", "will delay", .uint32, .will,
      "seconds that the server waits before it publishes the will"),
    .requestResponseInformation: Entry(
      "requestResponseInformation", "request response information", .flag, [.connect],
      "whether a base for response topics is wanted"),
    .responseInformation: Entry(
      "responseInformation", "response information", .string, [.connack],
      "a base for response topics"),
    .serverReference: Entry(
      "serverReference", "server reference", .string, [.connack, .disconnect],
      "another server to use"),
    .reasonString: Entry(
      "reasonString", "reason string", .string, replies, "words for people"),
    .receiveMaximum: Entry(
      "receiveMaximum", "receive maximum", .uint16, [.connect, .connack],
      "messages of QoS 1 and 2 that its sender takes at a time", isNeverZero: true),
    .topicAliasMaximum: Entry(
      "topicAliasMaximum", "topic alias maximum", .uint16, [.connect, .connack],
      "the greatest topic alias that is taken"),
    .topicAlias: Entry(
      "topicAlias", "alias", .uint16, [.publish],
      "a number for the topic, on this connection and in this direction", isNeverZero: true),
    .maximumQoS: Entry(
      "maximumQoS", "maximum QoS", .bit, [.connack],
      "the greatest QoS of messages that the server takes"),
    .retainAvailable: Entry(
      "retainAvailable", "retain available", .flag, [.connack],
      "whether the server keeps retained messages"),
    .userProperty: Entry(
      "userProperties", "user property", .pair,
      replies.union(messages).union([.connect, .subscribe, .unsubscribe]),
      "a name and a value of the application; may be repeated"),
    .maximumPacketSize: Entry(
      "maximumPacketSize", "maximum packet size", .uint32, [.connect, .connack],
      "bytes of the largest packet that its sender takes", isNeverZero: true),
    .wildcardSubscriptionAvailable: Entry(
      "wildcardSubscriptionAvailable", "wildcard subscriptions", .flag, [.connack],
      "whether filters may have wildcards"),
    .subscriptionIdentifierAvailable: Entry(
      "subscriptionIdentifierAvailable", "subscription identifiers", .flag, [.connack],
      "whether subscription identifiers are taken"),
    .sharedSubscriptionAvailable: Entry(
      "sharedSubscriptionAvailable", "shared subscriptions", .flag, [.connack],
      "whether $share/… filters are taken"),
  ]
}
