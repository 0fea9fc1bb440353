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
    /// The specification's name in lower case, as shown on a line.
    var words: StaticString
    var form: Form
    /// The packets that may have it.
    var places: MQTTTypes
    /// Its meaning, for users.
    var meaning: StaticString
    /// 0 is a protocol error.
    var isNeverZero = false
  }

  private static let replies = MQTTTypes([
    .connack, .puback, .pubrec, .pubrel, .pubcomp, .suback, .unsuback, .disconnect, .auth,
  ])
  private static let messages = MQTTTypes([.publish]).union(.will)

  var entry: Entry { Self.table[Int(rawValue)]! }

  /// By identifier.
  static let table: [Entry?] = {
    var table = [Entry?](repeating: nil, count: 43)
    for one in allCases { table[Int(one.rawValue)] = one.described }
    return table
  }()

  private var described: Entry {
    switch self {
    case .payloadFormatIndicator:
      Entry(
        key: "payloadFormatIndicator", words: "payload format", form: .bit, places: Self.messages,
        meaning: "0: bytes, 1: UTF-8")
    case .messageExpiryInterval:
      Entry(
        key: "messageExpiryInterval", words: "message expiry", form: .uint32,
        places: Self.messages, meaning: "seconds until the message is of no use")
    case .contentType:
      Entry(
        key: "contentType", words: "content type", form: .string, places: Self.messages,
        meaning: "what the payload is, often a MIME type")
    case .responseTopic:
      Entry(
        key: "responseTopic", words: "answer to", form: .string, places: Self.messages,
        meaning: "the topic on which an answer is wanted")
    case .correlationData:
      Entry(
        key: "correlationData", words: "correlation", form: .binary, places: Self.messages,
        meaning: "sent back with the answer")
    case .subscriptionIdentifier:
      Entry(
        key: "subscriptionIdentifier", words: "subscription", form: .variable,
        places: MQTTTypes([.subscribe, .publish]),
        meaning: "the number of the subscription that a message is sent for", isNeverZero: true)
    case .sessionExpiryInterval:
      Entry(
        key: "sessionExpiryInterval", words: "session expiry", form: .uint32,
        places: MQTTTypes([.connect, .connack, .disconnect]),
        meaning: "seconds that the session outlives its connection; 4294967295: for ever")
    case .assignedClientIdentifier:
      Entry(
        key: "assignedClientIdentifier", words: "assigned client", form: .string,
        places: MQTTTypes([.connack]), meaning: "the client identifier that the server chose")
    case .serverKeepAlive:
      Entry(
        key: "serverKeepAlive", words: "server keep alive", form: .uint16,
        places: MQTTTypes([.connack]), meaning: "seconds; replaces what the client asked for")
    case .authenticationMethod:
      Entry(
        key: "authenticationMethod", words: "authentication", form: .string,
        places: MQTTTypes([.connect, .connack, .auth]), meaning: "the method, such as SCRAM-SHA-1")
    case .authenticationData:
      Entry(
        key: "authenticationData", words: "authentication data", form: .binary,
        places: MQTTTypes([.connect, .connack, .auth]), meaning: "what the method sends")
    default: describedLater
    }
  }

  private var describedLater: Entry {
    switch self {
    case .requestProblemInformation:
      Entry(
        key: "requestProblemInformation", words: "request problem information", form: .flag,
        places: MQTTTypes([.connect]), meaning: "whether reason strings are wanted")
    case .willDelayInterval:
      Entry(
        key: "willDelayInterval", words: "will delay", form: .uint32, places: .will,
        meaning: "seconds that the server waits before it publishes the will")
    case .requestResponseInformation:
      Entry(
        key: "requestResponseInformation", words: "request response information", form: .flag,
        places: MQTTTypes([.connect]), meaning: "whether a base for response topics is wanted")
    case .responseInformation:
      Entry(
        key: "responseInformation", words: "response information", form: .string,
        places: MQTTTypes([.connack]), meaning: "a base for response topics")
    case .serverReference:
      Entry(
        key: "serverReference", words: "server reference", form: .string,
        places: MQTTTypes([.connack, .disconnect]), meaning: "another server to use")
    case .reasonString:
      Entry(
        key: "reasonString", words: "reason string", form: .string, places: Self.replies,
        meaning: "words for people")
    case .receiveMaximum:
      Entry(
        key: "receiveMaximum", words: "receive maximum", form: .uint16,
        places: MQTTTypes([.connect, .connack]),
        meaning: "messages of QoS 1 and 2 that its sender takes at a time", isNeverZero: true)
    case .topicAliasMaximum:
      Entry(
        key: "topicAliasMaximum", words: "topic alias maximum", form: .uint16,
        places: MQTTTypes([.connect, .connack]), meaning: "the greatest topic alias that is taken")
    case .topicAlias:
      Entry(
        key: "topicAlias", words: "alias", form: .uint16, places: MQTTTypes([.publish]),
        meaning: "a number for the topic, on this connection and in this direction",
        isNeverZero: true)
    case .maximumQoS:
      Entry(
        key: "maximumQoS", words: "maximum QoS", form: .bit, places: MQTTTypes([.connack]),
        meaning: "the greatest QoS of messages that the server takes")
    case .retainAvailable:
      Entry(
        key: "retainAvailable", words: "retain available", form: .flag,
        places: MQTTTypes([.connack]), meaning: "whether the server keeps retained messages")
    case .userProperty:
      Entry(
        key: "userProperties", words: "user property", form: .pair,
        places: Self.replies.union(Self.messages).union(
          MQTTTypes([.connect, .subscribe, .unsubscribe])),
        meaning: "a name and a value of the application; may be repeated")
    case .maximumPacketSize:
      Entry(
        key: "maximumPacketSize", words: "maximum packet size", form: .uint32,
        places: MQTTTypes([.connect, .connack]),
        meaning: "bytes of the largest packet that its sender takes", isNeverZero: true)
    case .wildcardSubscriptionAvailable:
      Entry(
        key: "wildcardSubscriptionAvailable", words: "wildcard subscriptions", form: .flag,
        places: MQTTTypes([.connack]), meaning: "whether filters may have wildcards")
    case .subscriptionIdentifierAvailable:
      Entry(
        key: "subscriptionIdentifierAvailable", words: "subscription identifiers", form: .flag,
        places: MQTTTypes([.connack]), meaning: "whether subscription identifiers are taken")
    default:
      Entry(
        key: "sharedSubscriptionAvailable", words: "shared subscriptions", form: .flag,
        places: MQTTTypes([.connack]), meaning: "whether $share/… filters are taken")
    }
  }
}
