// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Protocols that are not read here, but whose messages are lists as well, so that a pasted one is
/// easily taken for WAMP: for telling people what theirs could be.
public enum Lookalike {
  /// What a text that no dialect takes could be; nil when nobody knows.
  public static func name(of pasted: RawSpan) -> String? {
    var scanner = JSONScanner(maximumDepth: Limits().nesting)
    guard scanner.scan(pasted) != nil, scanner.isArray, scanner.elements.count > 0 else {
      return nil
    }
    let elements = scanner.elements
    let kinds = (0..<min(elements.count, JSONElements.kept)).map { elements[$0].kind }
    func isText(_ index: Int) -> Bool {
      index < kinds.count && (kinds[index] == .string || kinds[index] == .null)
    }
    switch kinds[0] {
    case .natural:
      switch (JSON.natural(pasted, elements[0].range), kinds.dropFirst()) {
      case (2, [.string, .string, .object]): return "CALL of OCPP-J"
      case (3, [.string, .object]): return "CALLRESULT of WAMP v1 or of OCPP-J"
      case (4, [.string, .string, .string, .object]): return "CALLERROR of OCPP-J"
      default: return nil
      }
    case .string, .null:
      if kinds.count == 5, isText(0), isText(1), isText(2), isText(3) {
        return "a message of Phoenix channels"
      }
      let word = pasted[elements[0].content]
      for known in ["EVENT", "REQ", "EOSE", "NOTICE"] as [StaticString]
      where kinds[0] == .string && word.equals(known) {
        return "a message of Nostr"
      }
      return nil
    default: return nil
    }
  }
}
