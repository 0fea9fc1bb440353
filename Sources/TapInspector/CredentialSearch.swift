// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapEncodings
import TapTraffic

/// The names of credentials to search for, by how well a message can be read.
struct CredentialSearch {
  /// For messages that can be read.
  let known: CredentialNames
  /// For messages that cannot be read: includes the names of dialects, which can mark their
  /// credentials only in messages that they read.
  let opaque: CredentialNames
  /// For texts with unknown bytes.
  let hidden: HiddenCredentials
  private let nesting = Limits.standard.nesting

  init(_ names: CredentialNames) {
    let ofDialects = Dialects.all.flatMap { $0.credentialNames }
    known = names
    var all = names
    all.insert(contentsOf: ofDialects)
    opaque = all
    hidden = HiddenCredentials(names, ofDialects)
  }

  /// The names to search for in a message. One that no dialect reads may still be JSON of another
  /// protocol.
  func names(for message: Message, _ bytes: RawSpan) -> CredentialNames {
    if message.traits.contains(.isJSON) || message.traits.contains(.isPartial) { return known }
    var scanner = JSONScanner(maximumDepth: nesting)
    return scanner.scan(bytes) == bytes.byteCount ? known : opaque
  }
}
