// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Names of list-based protocols that are not supported, to tell users what their lists may be.
public enum UnreadListNames {
  /// The protocol that an unrecognised text may belong to; nil when not known.
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
