// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Recognises WAMP v1 messages. A URI alone makes a list only possible, as lists of other protocols
/// contain URIs too. Answers have no URI: they count only after their call.
struct WAMPv1Recogniser: Recogniser {
  private var array: WAMPv1Array

  init(limits: Limits) { array = WAMPv1Array(maximumDepth: limits.nesting) }

  mutating func recognise(
    _ text: RawSpan, _ kind: Delivery.Kind, in context: Recognition.Context
  ) -> Recognition {
    switch context {
    case .text, .sent: return recognise(text, kind)
    case .paste(let isSpoken):
      array.read(text)
      let grade = array.grade(text)
      // A possible subscription is distinctive enough; a possible result is not.
      let isAmbiguous = grade == .possible && array.code == 3
      return isAmbiguous && !isSpoken ? .none : Recognition(grade)
    case .conversation(let opening, let isFirst):
      guard opening.carrier == .webSocket, kind != .binary,
        !opening.subprotocol.starts(with: "wamp.".utf8)
      else { return .none }
      var at = 0
      guard Self.token(text, &at) == .openBracket else { return .none }
      array.read(text)
      let grade = array.grade(text)
      // A result is not distinctive: after other messages it may be any list.
      if array.code == 3 { return isFirst ? Recognition(grade) : .none }
      return grade == .likely ? Recognition(.likely) : .none
    }
  }

  mutating func refusal(of pasted: RawSpan) -> String {
    array.read(pasted)
    if let problem = array.problem { return problem.text }
    let name = array.type!.name
    return array.grade(pasted) == .possible
      ? "nothing in it distinguishes \(name) of WAMP v1 from other protocols"
      : "what \(name) of WAMP v1 names must be a URI"
  }

  private mutating func recognise(_ text: RawSpan, _ kind: Delivery.Kind) -> Recognition {
    // Fast path: most lists begin differently.
    guard kind == .text, Self.mayBegin(text) else { return .none }
    array.read(text)
    guard let type = array.type else { return .none }
    let grade = array.grade(text)
    // Any list may contain a topic that is a plain word.
    guard grade == .likely || grade == .possible && type.code == 3 else { return .none }
    let isWelcome = type.code == 0 && text[array.range(2)].equals("1")
    if type.code == 0 && !isWelcome { return .none }
    // Servers identify themselves like `Autobahn/0.5.1`.
    let isNamed = isWelcome && text[array.string(3)].firstIndex(of: .slash) != nil
    let isOfLeague = type.code > 4 && WAMPv1Name(text[array.string(1)]).isOfLeague
    var recognition = Recognition(isNamed || isOfLeague ? .likely : .possible)
    switch type.sender {
    case .client: recognition.direction = .toServer
    case .server: recognition.direction = .toClient
    case .both: break
    }
    // The server sends the first message (WAMP v1, "WELCOME").
    recognition.begins = isWelcome
    switch type.code {
    case 2: recognition.opens = Self.exchange(array, text)
    case 3, 4:
      recognition.answers = Self.exchange(array, text)
      recognition.isAnswerOnly = true
    default: break
    }
    return recognition
  }

  /// Whether a text begins like every message, with a one-digit code and a string.
  private static func mayBegin(_ text: RawSpan) -> Bool {
    var at = 0
    guard token(text, &at) == UInt8(ascii: "["), token(text, &at) &- 0x30 < 9,
      token(text, &at) == UInt8(ascii: ",")
    else { return false }
    return token(text, &at) == UInt8(ascii: "\"")
  }

  /// The next byte that is not white space; 0 at the end.
  private static func token(_ text: RawSpan, _ at: inout Int) -> UInt8 {
    while at < text.byteCount, text.byte(at: at) <= 0x20 { at += 1 }
    guard at < text.byteCount else { return 0 }
    at += 1
    return text.byte(at: at - 1)
  }

  /// The key of a call id, which may be any text.
  private static func exchange(_ array: WAMPv1Array, _ text: RawSpan) -> UInt64 {
    text[array.string(1)].fingerprint
  }
}
