// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Credentials in messages of WAMP that a text quotes, as JSON or as a language prints it, also in
/// strings, where their quotes have backslashes: `sent [5,"…",{}]`.
enum WAMPInText {
  private static let names = CredentialNames([
    "authextra", "ticket", "signature", "challenge", "salt", "resume", "resume-token",
    "resume-session",
  ])

  static func secrets(_ text: RawSpan) -> [CredentialFinder.Credential] {
    guard let first = WAMPSecrets.firstHandshake(in: text) else { return [] }
    var found: [CredentialFinder.Credential] = []
    var at = first
    while let bracket = text.firstIndex(of: .openBracket, from: at) {
      at = bracket + 1
      if let signature = signature(text, at) {
        found.append(CredentialFinder.Credential(value: signature, needsQuotes: false))
        at = signature.end
      }
    }
    guard names.mayStand(in: text) else { return found }
    var finder = CredentialFinder(.text, names)
    while let value = finder.next(in: text) { found.append(value) }
    return found
  }

  /// The signature of an AUTHENTICATE whose type stands there; nil for anything else. A dictionary
  /// follows it, unless the text is cut.
  private static func signature(_ text: RawSpan, _ start: Int) -> ByteRange? {
    let type = skipSpace(text, start)
    guard text.dropping(type).starts(with: "5") else { return nil }
    let comma = skipSpace(text, type + 1)
    guard text.dropping(comma).starts(with: ","),
      let string = CredentialFinder.string(in: text, at: skipSpace(text, comma + 1)),
      !string.content.isEmpty
    else { return nil }
    let next = skipSpace(text, string.end)
    guard next < text.byteCount else { return string.content }
    let hasExtra =
      text.byte(at: next) == .comma
      && text.dropping(skipSpace(text, next + 1)).starts(with: "{")
    return hasExtra ? string.content : nil
  }

  private static func skipSpace(_ text: RawSpan, _ start: Int) -> Int {
    var at = start
    while at < text.byteCount, text.byte(at: at) <= 0x20 { at += 1 }
    return at
  }
}
