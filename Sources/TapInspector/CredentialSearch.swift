// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapEncodings
import TapTraffic

/// The names of credentials by how well a message is known.
struct CredentialSearch {
  /// In what can be read.
  let known: CredentialNames
  /// In what cannot be read: those of the dialects, too, which cannot point at their own there.
  let opaque: CredentialNames
  /// Where pieces are not known.
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

  /// Those that count in a message; one that no dialect reads may be JSON of another protocol.
  func names(for message: Message, _ bytes: RawSpan) -> CredentialNames {
    if message.traits.contains(.isJSON) || message.traits.contains(.isPartial) { return known }
    var scanner = JSONScanner(maximumDepth: nesting)
    return scanner.scan(bytes) == bytes.byteCount ? known : opaque
  }
}
