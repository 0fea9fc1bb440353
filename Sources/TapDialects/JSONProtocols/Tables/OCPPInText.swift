// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The values of variables in text that is no message of OCPP: a call that a log has cut, the
/// arguments of a handler. A name beside each says which are passwords; where that is cut away, or
/// is not where a message has it, all values are taken for some.
enum OCPPInText {
  /// Calls that set variables, and those of these that are passwords.
  private static let words: [StaticString] = [
    "ChangeConfiguration", "SetVariables", "AuthorizationKey", "BasicAuthPassword",
  ]
  private static let names = CredentialNames(["value", "attribute value", "actual value"])

  static func values(_ text: RawSpan) -> [Range<Int>] {
    guard words.contains(where: { text.contains($0) }) else { return [] }
    var finder = CredentialFinder(.text, names)
    var found: [Range<Int>] = []
    while let value = finder.next(in: text)?.value { found.append(value.start..<value.end) }
    return found
  }
}
