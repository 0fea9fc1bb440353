// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Recognises frames of a SockJS server by their content. A client sends lists of strings, which
/// may be anything.
struct SockJSRecogniser: Recogniser {
  private var scanner: JSONScanner

  let isOfLists = false

  let starts = [TextStart("a", "[\"")]

  init(limits: Limits) { scanner = JSONScanner(maximumDepth: limits.nesting) }

  mutating func recognise(
    _ text: RawSpan, _ kind: Delivery.Kind, in context: Recognition.Context
  ) -> Recognition {
    if kind == .binary { return .none }
    switch context {
    case .text, .sent:
      guard isEvident(text) else { return .none }
      // `a["id"]` is a member of `a` in many a program.
      var found = Recognition(isMember(text) ? .possible : .likely)
      found.needsSender = found.grade == .possible
      return found
    case .paste(let isSpoken):
      if isEvident(text) { return Recognition(.likely) }
      let mayFollow = SockJSFrame(text) != nil || isListOfStrings(text, from: 0)
      var found = Recognition(isSpoken && mayFollow ? .possible : .none)
      found.begins = text.equals("o")
      return found
    case .conversation(let opening, _):
      guard opening.carrier == .webSocket, opening.subprotocol.isEmpty else { return .none }
      if isEvident(text) { return Recognition(.likely) }
      if text.equals("o"), SockJSURL(opening.url)?.isOfWebSocket == true {
        return Recognition(.likely)
      }
      // A lone `o` or `h` may be anything; the next frame may decide.
      var found = Recognition.none
      found.isUndecided = text.equals("o") || text.equals("h")
      return found
    }
  }

  /// `a["…"]` or `c[3000,"…"]`.
  private mutating func isEvident(_ text: RawSpan) -> Bool {
    switch SockJSFrame(text) {
    case .messages: return isListOfStrings(text, from: 1)
    case .close:
      guard scanner.scan(text, from: 1) == text.byteCount, scanner.elements.count == 2 else {
        return false
      }
      return scanner.elements[0].kind == .natural && scanner.elements[1].kind == .string
    default: return false
    }
  }

  /// Whether it has nothing but one string that may be a name.
  private func isMember(_ text: RawSpan) -> Bool {
    (3..<text.byteCount - 2).allSatisfy { text.byte(at: $0).isWord }
  }

  private mutating func isListOfStrings(_ text: RawSpan, from start: Int) -> Bool {
    guard scanner.scan(text, from: start) == text.byteCount, scanner.isArray else { return false }
    let count = min(scanner.elements.count, JSONElements.kept)
    return count > 0 && (0..<count).allSatisfy { scanner.elements[$0].kind == .string }
  }

  func refusal(of _: RawSpan) -> String { "no frame of SockJS has its form" }
}
