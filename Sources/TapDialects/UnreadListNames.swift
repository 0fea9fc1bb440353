// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Protocols of lists that are not read: for telling people what their lists could be.
public enum UnreadListNames {
  /// What a text that no dialect takes could be; nil when that is not known.
  public static func name(of pasted: RawSpan) -> String? {
    var scanner = JSONScanner(maximumDepth: Limits.standard.nesting)
    guard scanner.scan(pasted) != nil, scanner.isArray, scanner.elements.count > 0 else {
      return nil
    }
    let elements = scanner.elements
    let kinds = (0..<min(elements.count, JSONElements.kept)).map { elements[$0].kind }
    switch kinds[0] {
    case .natural:
      guard JSON.natural(pasted, elements[0].range) == 3, kinds.dropFirst() == [.string, .object]
      else { return nil }
      return "CALLRESULT of WAMP v1 or of OCPP-J: --dialect wampv1 and --dialect ocpp read it"
    case .string:
      let word = pasted[elements[0].content]
      for known in ["EVENT", "REQ", "EOSE", "NOTICE"] as [StaticString]
      where word.equals(known) {
        return "a message of Nostr"
      }
      return nil
    default: return nil
    }
  }
}
