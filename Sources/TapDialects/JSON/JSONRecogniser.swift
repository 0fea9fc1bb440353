// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Recognises objects where nothing else is expected. In a log, an object by itself is a log
/// record.
struct JSONRecogniser: Recogniser {
  private let scan: SharedScan

  let isForTexts = false
  let isOfObjects = true

  init(_ scan: SharedScan) { self.scan = scan }

  mutating func recognise(
    _ text: RawSpan, _ kind: Delivery.Kind, in context: Recognition.Context
  ) -> Recognition {
    guard kind.mayBeJSON(text) else { return .none }
    switch context {
    case .text: return .none
    case .sent: return isObject(text) ? Recognition(.general) : .none
    case .paste(let isSpoken):
      guard isObject(text) else { return .none }
      var known = JSONRoles.KnownNames()
      let isMessage = isSpoken || JSONRoles(scan.scanner.value.members, text, &known).kind != nil
      return isMessage ? Recognition(.general) : .none
    case .conversation(let opening, _):
      let isOfWAMP = opening.subprotocol.starts(with: "wamp".utf8)
      return !isOfWAMP && isObject(text) ? Recognition(.general) : .none
    }
  }

  private func isObject(_ text: RawSpan) -> Bool {
    let scanner = scan.scanner
    return scan.isJSON(text) && scanner.value.isStrict && !scanner.value.isArray
      && !scanner.value.elements.isEmpty && scanner.value.elements[0].kind == .object
  }

  mutating func refusal(of pasted: RawSpan) -> String {
    if isObject(pasted) { return "no member of it says of what kind it is" }
    let scanner = scan.scanner
    guard let problem = scanner.value.problem else { return "it is no JSON object" }
    return problem == .incomplete
      ? "not JSON: it ends at byte \(scanner.value.offset), inside a value"
      : "not JSON: byte \(scanner.value.offset) is not expected there"
  }
}
