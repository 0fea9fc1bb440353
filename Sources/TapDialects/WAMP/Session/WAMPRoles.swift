// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The content of a dictionary of roles, in HELLO or WELCOME: everything that the rules need, read
/// in one pass.
final class WAMPRoles {
  /// Ranges of the role names between their quotes, relative to the start of the dictionary.
  let names: [ByteRange]
  let announced: WAMPAnnouncements
  /// Roles and their features are dictionaries, and each feature is true or false.
  let isInOrder: Bool
  /// Something in it must be masked.
  let hasSecrets: Bool

  init(_ roles: ByteRange, _ bytes: RawSpan) {
    var names: [ByteRange] = []
    var announced = WAMPAnnouncements()
    var isInOrder = true
    var members = JSON.Members(of: roles)
    while let role = members.next(bytes) {
      names.append(ByteRange(role.key.start - roles.start, role.key.end - roles.start))
      if !announced.add(role, bytes) { isInOrder = false }
    }
    (self.names, self.announced, self.isInOrder) = (names, announced, isInOrder)
    var secrets = ContiguousArray<Note>()
    WAMPSecrets.note(details: roles, depth: 1, bytes, &secrets)
    hasSecrets = !secrets.isEmpty
  }
}
