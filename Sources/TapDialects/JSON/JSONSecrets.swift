// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Masks strings under keys of JSON of applications: the session keys of OctoPrint (`auth`), what
/// lets anybody answer in a channel of Slack, and the passwords of XMRig (`pass`). They are not
/// among the names that are masked everywhere, as in some protocols `auth` names a way to log in.
enum JSONSecrets {
  private static let names = CredentialNames(["auth", "pass", "response_url", "trigger_id"])

  /// The sessions of Bayeux (CometD, Faye), as those of Engine.IO: who has one can read and write.
  /// Other applications show theirs under this name.
  private static let bayeux = CredentialNames(["clientId"])

  /// Where sessions of Bayeux stand in a message, or in a list of them.
  static func clients(in bytes: RawSpan) -> [ByteRange] {
    guard bayeux.mayStand(in: bytes), bytes.contains("\"channel\"") else { return [] }
    var finder = CredentialFinder(.text, bayeux)
    var found: [ByteRange] = []
    while let client = finder.next(in: bytes) { found.append(client.value) }
    return found
  }

  /// Whether one stands in a message of no dialect, maybe inside of a string.
  static func isAny(in bytes: RawSpan) -> Bool {
    guard names.mayStand(in: bytes) else { return false }
    var finder = CredentialFinder(.text, names)
    while let found = finder.next(in: bytes) {
      let start = found.value.start
      if start > 0, bytes.byte(at: start - 1) == .quote { return true }
    }
    return false
  }

  /// - Parameters:
  ///   - object: what the message calls, if it calls anything.
  ///   - most: how many are masked one by one.
  static func append(
    to notes: inout WorkingList<Note>, _ object: JSONRPCMessage, _ bytes: RawSpan, most: Int
  ) {
    if let method = object.method, let params = object.params {
      CallSecrets.append(to: &notes, bytes[method.text], params.range, bytes)
    }
    for client in clients(in: bytes) { notes.append(Note(.secret, "session", client)) }
    guard names.mayStand(in: bytes) else { return }
    var finder = CredentialFinder(.json, names)
    var count = 0
    while let found = finder.next(in: bytes) {
      let start = found.value.start
      guard start > 0, bytes.byte(at: start - 1) == .quote else { continue }
      count += 1
      if count > most {
        return notes.append(Note(.bulk, "credentials", ByteRange(0, bytes.byteCount)))
      }
      notes.append(Note(.secret, "credential", found.value))
    }
  }
}
