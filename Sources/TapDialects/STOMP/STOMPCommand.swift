// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The first line of a frame (STOMP 1.2, "Client Frames" and "Server Frames").
enum STOMPCommand: UInt8, CaseIterable, Sendable {
  case connect, stomp, send, subscribe, unsubscribe, ack, nack, begin, commit, abort, disconnect
  case connected, message, receipt, error

  /// The longest word that may be a command, in bytes.
  static let longest = 32

  var name: StaticString {
    switch self {
    case .connect: "CONNECT"
    case .stomp: "STOMP"
    case .send: "SEND"
    case .subscribe: "SUBSCRIBE"
    case .unsubscribe: "UNSUBSCRIBE"
    case .ack: "ACK"
    case .nack: "NACK"
    case .begin: "BEGIN"
    case .commit: "COMMIT"
    case .abort: "ABORT"
    case .disconnect: "DISCONNECT"
    case .connected: "CONNECTED"
    case .message: "MESSAGE"
    case .receipt: "RECEIPT"
    case .error: "ERROR"
    }
  }

  /// The direction of such frames.
  var direction: Direction {
    rawValue < Self.connected.rawValue ? .toServer : .toClient
  }

  /// Only these may have a body (STOMP 1.2, "Body").
  var mayHaveBody: Bool { self == .send || self == .message || self == .error }

  /// Its headers are never escaped, for peers of version 1.0.
  var isNeverEscaped: Bool { self == .connect || self == .stomp || self == .connected }

  init?(_ word: RawSpan) {
    guard let candidate = Self.candidate(word), word.equals(candidate.name) else { return nil }
    self = candidate
  }

  /// The only candidate with this length and first letter.
  private static func candidate(_ word: RawSpan) -> Self? {
    if word.isEmpty { return nil }
    switch (word.byteCount, UnicodeScalar(word.byte(at: 0))) {
    case (3, _): return .ack
    case (4, "S"): return .send
    case (4, _): return .nack
    case (5, "A"): return .abort
    case (5, "B"): return .begin
    case (5, "E"): return .error
    case (5, "S"): return .stomp
    case (6, _): return .commit
    case (7, "C"): return .connect
    case (7, "M"): return .message
    case (7, "R"): return .receipt
    case (9, "C"): return .connected
    case (9, "S"): return .subscribe
    case (10, _): return .disconnect
    case (11, _): return .unsubscribe
    default: return nil
    }
  }
}

/// The versions of the protocol.
enum STOMPVersion: UInt8, Comparable, Sendable {
  case v10, v11, v12

  var name: StaticString {
    switch self {
    case .v10: "1.0"
    case .v11: "1.1"
    case .v12: "1.2"
    }
  }

  init?(_ text: RawSpan) {
    guard text.byteCount == 3, text.starts(with: "1.") else { return nil }
    switch text.byte(at: 2) {
    case UInt8(ascii: "0"): self = .v10
    case UInt8(ascii: "1"): self = .v11
    case UInt8(ascii: "2"): self = .v12
    default: return nil
    }
  }

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The headers with a meaning for the protocol or this program.
enum STOMPHeader: UInt8, CaseIterable, Sendable {
  case other
  case id, ack, host, login, server, session, version, receipt, message, passcode, selector
  case destination, subscription, transaction
  case messageID, receiptID, replyTo, correlationID, contentLength, contentType, acceptVersion
  case heartBeat, prefetchCount, redelivered, userName
  /// Of durable subscriptions: RabbitMQ, ActiveMQ, Artemis, HornetQ.
  case durable, subscriptionName, durableSubscriptionName, durableSubscriberName

  var name: StaticString {
    switch self {
    case .other: ""
    case .id: "id"
    case .ack: "ack"
    case .host: "host"
    case .login: "login"
    case .server: "server"
    case .session: "session"
    case .version: "version"
    case .receipt: "receipt"
    case .message: "message"
    case .passcode: "passcode"
    case .selector: "selector"
    case .destination: "destination"
    case .subscription: "subscription"
    case .transaction: "transaction"
    case .messageID: "message-id"
    case .receiptID: "receipt-id"
    case .replyTo: "reply-to"
    case .correlationID: "correlation-id"
    case .contentLength: "content-length"
    case .contentType: "content-type"
    case .acceptVersion: "accept-version"
    case .heartBeat: "heart-beat"
    case .prefetchCount: "prefetch-count"
    case .redelivered: "redelivered"
    case .userName: "user-name"
    case .durable: "durable"
    case .subscriptionName: "activemq.subscriptionName"
    case .durableSubscriptionName: "durable-subscription-name"
    case .durableSubscriberName: "durable-subscriber-name"
    }
  }

  init(_ name: RawSpan) {
    guard let candidate = Self.candidate(name), name.equals(symbol: Symbol(candidate.name)) else {
      self = .other
      return
    }
    self = candidate
  }

  /// Its value is an identifier, which must not be empty.
  var mustNameSomething: Bool {
    switch self {
    case .destination, .id, .subscription, .transaction, .receipt: true
    default: false
    }
  }

  /// The only candidate with this length and first letter; of those with 14 letters that begin with
  /// c, by the fourth letter.
  private static func candidate(_ name: RawSpan) -> Self? {
    if name.isEmpty { return nil }
    let letter = UnicodeScalar(name.byte(at: 0))
    switch name.byteCount {
    case 2: return .id
    case 3: return .ack
    case 4: return .host
    case 5: return .login
    case 6: return .server
    case 7:
      if letter == "s" || letter == "v" { return letter == "s" ? .session : .version }
      return letter == "r" ? .receipt : letter == "d" ? .durable : .message
    case 8: return letter == "p" ? .passcode : letter == "s" ? .selector : .replyTo
    case 9: return .userName
    case 10: return letter == "m" ? .messageID : letter == "r" ? .receiptID : .heartBeat
    case 11: return letter == "d" ? .destination : letter == "t" ? .transaction : .redelivered
    case 12: return letter == "s" ? .subscription : .contentType
    case 14:
      if letter != "c" { return letter == "a" ? .acceptVersion : .prefetchCount }
      return name.byte(at: 3) == UInt8(ascii: "t") ? .contentLength : .correlationID
    case 23: return .durableSubscriberName
    case 25: return letter == "a" ? .subscriptionName : .durableSubscriptionName
    default: return nil
    }
  }
}

/// A set of header kinds, a bit for each.
struct STOMPHeaders: ExpressibleByArrayLiteral {
  let rawValue: UInt32

  init(arrayLiteral kinds: STOMPHeader...) {
    rawValue = kinds.reduce(0) { $0 | 1 << $1.rawValue }
  }

  func contains(_ kind: STOMPHeader) -> Bool { rawValue >> kind.rawValue & 1 != 0 }
}
