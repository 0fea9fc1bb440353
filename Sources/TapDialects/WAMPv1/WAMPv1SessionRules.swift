// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapSessions
import TapTraffic

/// Checks the messages of one connection against each other: answers without a call, events without
/// a subscription, messages from the wrong side.
struct WAMPv1SessionRules {
  private static let calls = [
    ExchangeRules.Rule(
      spaces: WAMPv1Links.Space.call...WAMPv1Links.Space.call, question: "CALL",
      unanswered: .callUnanswered, unknown: .resultUnknownCall, repeated: .requestIDDuplicate)
  ]

  /// Open calls, and subscribed topics.
  private var rules: ExchangeRules
  private var isWelcomed = false
  private var mustWelcome: Bool

  init(knowsAll: Bool, limits: Limits) {
    rules = ExchangeRules(Self.calls, knowsAll: knowsAll, limits: limits)
    mustWelcome = knowsAll
  }

  var knowsAll: Bool { rules.knowsAll }

  /// Checks a message that was reported and has no fault of form.
  mutating func look(
    _ array: WAMPv1Array, _ bytes: RawSpan, _ message: Message, _ listener: any Listener
  ) {
    // Pasted text does not show the sender.
    let direction = message.origin.direction
    guard direction != .unknown, let type = array.type else { return }
    let sender: WAMPv1Type.Sender = direction == .toServer ? .client : .server
    guard type.sender == sender || type.sender == .both else {
      if knowsAll {
        listener.remark(
          .wrongDirection, .error, message.origin,
          "a \(sender == .client ? "client" : "server") does not send \(type.name) of WAMP v1")
      }
      return
    }
    rules.look(message, listener)
    let key = WideKey(UInt64(message.first.space), message.first.key)
    switch type.code {
    case 0: welcome(array, bytes, message, listener)
    case 5: _ = rules.ask(key, message.origin, listener)
    case 8 where !rules.isAsked(key):
      rules.suspect(
        Finding(
          .v1EventUnsubscribed, .warning, message.origin,
          "EVENT of a topic that this client has not subscribed to"), key, listener)
    default: break
    }
    if sender == .server && mustWelcome {
      mustWelcome = false
      // The League of Legends client, which acts as the server, sends no WELCOME.
      let isOfLeague = type.code == 8 && WAMPv1Name(bytes[array.string(1)]).isOfLeague
      if type.code != 0 && knowsAll && !isOfLeague {
        listener.remark(
          .v1WelcomeMissing, .error, message.origin,
          "the first message of a server must be WELCOME; this is \(type.name)")
      }
    }
  }

  private mutating func welcome(
    _ array: WAMPv1Array, _ bytes: RawSpan, _ message: Message, _ listener: any Listener
  ) {
    if isWelcomed {
      listener.remark(.welcomeTwice, .error, message.origin, "WELCOME, but the session is open")
    }
    isWelcomed = true
    let version = array.range(2)
    if !bytes[version].equals("1") {
      let shown = String(decoding: bytes[version].copied().prefix(20), as: Unicode.UTF8.self)
      listener.remark(
        .v1Version, .warning, message.origin,
        "the server speaks version \(shown) of the protocol, not 1")
    }
  }

  /// A message that could not be read may have been anything.
  mutating func miss(_ direction: Direction = .unknown) { rules.miss(direction) }

  /// Looks at a message before it is reported.
  mutating func adjustLinks(of message: inout Message) { rules.adjustLinks(of: &message) }

  /// The connection or the capture ends.
  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    rules.finish(ending, delivery, listener)
  }
}
