// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

/// Objects that say `"jsonrpc":"2.0"` and are one of its messages, alone or in a batch.
struct JSONRPCRecogniser: Recogniser {
  private var scanner: JSONScanner

  init(limits: Limits) { scanner = JSONScanner(maximumDepth: limits.nesting) }

  mutating func likeness(of text: RawSpan, _ kind: Delivery.Kind) -> Likeness {
    guard kind == .text || kind == .binary || kind == .stream else { return .none }
    guard scanner.scan(text) == text.byteCount, !scanner.elements.isEmpty else { return .none }
    let first = scanner.elements[0]
    guard first.kind == .object else { return .none }
    let message = JSONRPCMessage(first.range, text)
    guard message.isVersion2(text), message.kind != nil else { return .none }
    return Likeness(.likely)
  }
}

extension JSONRPCLayer {
  public static func claim(
    _ opening: Opening, _ first: RawSpan, _ kind: Delivery.Kind
  ) -> Claim {
    var recogniser = JSONRPCRecogniser(limits: Limits())
    return recogniser.likeness(of: first, kind).grade.claim
  }

  public static func recogniser(limits: Limits) -> any Recogniser {
    JSONRPCRecogniser(limits: limits)
  }

  public static func refusal(of pasted: RawSpan, isSpoken: Bool) -> String? {
    var scanner = JSONScanner(maximumDepth: Limits().nesting)
    if isSpoken, scanner.scan(pasted) == pasted.byteCount, !scanner.isArray,
      scanner.elements[0].kind == .object,
      JSONRPCMessage(scanner.elements[0].range, pasted).kind != nil
    {
      return nil
    }
    var recogniser = JSONRPCRecogniser(limits: Limits())
    if recogniser.likeness(of: pasted, .text).grade != .none { return nil }
    return "it is no object with \"jsonrpc\":\"2.0\""
  }
}
