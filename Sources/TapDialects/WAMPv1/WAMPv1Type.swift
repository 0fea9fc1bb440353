// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// The message types of WAMP v1 and the layout of each (WAMP v1, "Messages").
struct WAMPv1Type: Sendable {
  /// Who sends it.
  enum Sender: Sendable { case client, server, both }

  var code: UInt64
  var name: StaticString
  var sender: Sender
  /// How many elements the array may have, the code included; a call has any number of arguments.
  var arity: ClosedRange<Int>
  /// The kind of each element after the code, one letter each; the last one repeats.
  var elements: StaticString
  /// The specification's names of the elements, in order.
  var titles: [StaticString]
  /// What they are for.
  var meanings: [StaticString]
  /// What a message of this type says, in a few words.
  var meaning: StaticString

  static let all: [WAMPv1Type] = [
    WAMPv1Type(
      code: 0, name: "WELCOME", sender: .server, arity: 4...4, elements: "ins",
      titles: ["sessionId", "protocolVersion", "serverIdent"],
      meanings: ["id of the session", "1 for WAMP v1", "the software of the server"],
      meaning: "the server opens the session"),
    WAMPv1Type(
      code: 1, name: "PREFIX", sender: .both, arity: 3...3, elements: "pu",
      titles: ["prefix", "URI"],
      meanings: ["the abbreviation, before the colon of a CURIE", "what it stands for"],
      meaning: "an abbreviation for the URIs of this connection"),
    WAMPv1Type(
      code: 2, name: "CALL", sender: .client, arity: 3...Int.max, elements: "iuv",
      titles: ["callID", "procURI", "argument"],
      meanings: ["id of this call; the answer repeats it", "what to call", "one of its arguments"],
      meaning: "a client calls a procedure of the server"),
    WAMPv1Type(
      code: 3, name: "CALLRESULT", sender: .server, arity: 3...3, elements: "iv",
      titles: ["callID", "result"], meanings: ["the call that is answered", "one value"],
      meaning: "the call's result"),
    WAMPv1Type(
      code: 4, name: "CALLERROR", sender: .server, arity: 4...5, elements: "iusv",
      titles: ["callID", "errorURI", "errorDesc", "errorDetails"],
      meanings: [
        "the call that failed", "what went wrong, as a URI", "the same for people",
        "more of it for programs",
      ],
      meaning: "the call failed"),
    WAMPv1Type(
      code: 5, name: "SUBSCRIBE", sender: .client, arity: 2...2, elements: "u",
      titles: ["topicURI"], meanings: ["what to subscribe to"],
      meaning: "a client asks for the events of a topic"),
    WAMPv1Type(
      code: 6, name: "UNSUBSCRIBE", sender: .client, arity: 2...2, elements: "u",
      titles: ["topicURI"], meanings: ["what to unsubscribe from"],
      meaning: "a client wants no more events"),
    WAMPv1Type(
      code: 7, name: "PUBLISH", sender: .client, arity: 3...5, elements: "uvxl",
      titles: ["topicURI", "event", "excludeMe", "eligible"],
      meanings: [
        "what the event is about", "the event",
        "whether the publisher is left out, or the sessions that are",
        "the only sessions to get it",
      ],
      meaning: "a client sends an event to a topic"),
    WAMPv1Type(
      code: 8, name: "EVENT", sender: .server, arity: 3...3, elements: "uv",
      titles: ["topicURI", "event"], meanings: ["the topic, always in full", "what was published"],
      meaning: "the server delivers what was published"),
  ]

  /// The letter of the element at `index` of the array (1 is the first after the code).
  func letter(_ index: Int) -> UInt8 {
    elements.utf8Start[min(index, elements.utf8CodeUnitCount) - 1]
  }

  /// The name of the element at `index`.
  func title(_ index: Int) -> StaticString { titles[min(index, titles.count) - 1] }

  func meaning(_ index: Int) -> StaticString { meanings[min(index, meanings.count) - 1] }

  /// The kind that a letter stands for, in words.
  static func description(_ letter: UInt8) -> StaticString {
    switch letter {
    case UInt8(ascii: "n"): "an integer"
    case UInt8(ascii: "u"): "a URI"
    case UInt8(ascii: "x"): "a boolean or a list"
    case UInt8(ascii: "l"): "a list"
    case UInt8(ascii: "v"): "a value"
    default: "a string"
    }
  }

  /// Every form of the message as the specification prints it, the shortest first.
  var layouts: [String] {
    let longest = min(arity.upperBound, titles.count + 1)
    return (arity.lowerBound...longest).map { count in
      var text = "[\(name)"
      for index in 1..<count { text += ", \(form(index, of: count))" }
      return text + (arity.upperBound > longest && count == longest ? ", ...]" : "]")
    }
  }

  private func form(_ index: Int, of count: Int) -> String {
    let kind: StaticString
    switch letter(index) {
    case UInt8(ascii: "n"): kind = "int"
    case UInt8(ascii: "u"): kind = "uri"
    case UInt8(ascii: "v"): kind = "any"
    // Followed by a list, it is a list itself.
    case UInt8(ascii: "x"): return count > index + 1 ? "exclude|list" : "excludeMe|bool"
    case UInt8(ascii: "l"): kind = "list"
    default: kind = "string"
    }
    return "\(title(index))|\(kind)"
  }
}
