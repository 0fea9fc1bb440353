// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

extension InspectorState {
  /// Whether a message has no credential beside a credential's name.
  @inline(__always)
  func isHarmless(_ message: Message, _ bytes: RawSpan) -> Bool {
    let traits = message.traits.intersection([.isText, .isJSON, .hidesText])
    if traits != [.isText, .isJSON] { return isFoundHarmless(message, bytes) }
    guard let first = names.known.firstSeparator(in: bytes) else { return true }
    return !CredentialFinder.isAny(in: bytes, .json, names.known, from: first)
  }

  @inline(never)
  private func isFoundHarmless(_ message: Message, _ bytes: RawSpan) -> Bool {
    if message.traits.contains(.hidesText) { return false }
    if !message.traits.contains(.isText) && BinaryCredentials.isAny(in: bytes, names.opaque) {
      return false
    }
    if SASLElement.credential(in: bytes) != nil { return false }
    if !names.opaque.mayStand(in: bytes) { return true }
    let form = CredentialNotes.form(message)
    return !CredentialFinder.isAny(in: bytes, form, names.names(for: message, bytes))
  }
}
