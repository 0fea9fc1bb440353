// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

/// An object by itself is a message only where nothing else is expected; in a log it is a record.
struct JSONRecogniser: Recogniser {
  func likeness(of _: RawSpan, _: Delivery.Kind) -> Likeness { .none }
}

extension JSONLayer {
  public static func claim(
    _ opening: Opening, _ first: RawSpan, _ kind: Delivery.Kind
  ) -> Claim {
    if opening.subprotocol.starts(with: "wamp".utf8) { return .no }
    guard kind == .text || kind == .binary || kind == .stream else { return .no }
    var scanner = JSONScanner(maximumDepth: Limits().nesting)
    guard scanner.scan(first) == first.byteCount, scanner.isStrict, !scanner.isArray,
      !scanner.elements.isEmpty, scanner.elements[0].kind == .object
    else { return .no }
    return .possible
  }

  public static func recogniser(limits: Limits) -> any Recogniser { JSONRecogniser() }

  public static func refusal(of pasted: RawSpan, isSpoken: Bool) -> String? {
    var scanner = JSONScanner(maximumDepth: Limits().nesting)
    guard scanner.scan(pasted) == pasted.byteCount, scanner.isStrict, !scanner.isArray,
      !scanner.elements.isEmpty, scanner.elements[0].kind == .object
    else {
      guard let problem = scanner.problem else { return "it is no JSON object" }
      return problem == .incomplete
        ? "not JSON: it ends at byte \(scanner.offset), inside a value"
        : "not JSON: byte \(scanner.offset) is not expected there"
    }
    if isSpoken || JSONRoles(scanner.elements[0].range, pasted).kind != nil { return nil }
    return "no member of it says of what kind it is"
  }
}
