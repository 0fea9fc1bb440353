// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The name of a topic, a procedure or an error: a URI, or a CURIE, which is a prefix, a colon and
/// the rest of a URI (WAMP v1, "URIs and CURIEs").
struct WAMPv1Name {
  /// The number of bytes before the colon; nil when there is none.
  private(set) var prefix: Int?
  /// It has `//` after the colon, so it is a URI, not a CURIE.
  private(set) var hasAuthority = false
  /// The part before the colon is a URI scheme without authority.
  private(set) var hasOpaqueScheme = false

  /// It is a topic of the League of Legends client, which is a plain word.
  private(set) var isOfLeague = false

  init(_ text: RawSpan) {
    isOfLeague = text.starts(with: "OnJsonApiEvent")
    guard let colon = text.firstIndex(of: .colon), colon > 0 else { return }
    for at in 0..<colon where !Self.isNameCharacter(text.byte(at: at)) { return }
    prefix = colon
    hasAuthority = text.dropping(colon + 1).starts(with: "//")
    let scheme = text.extracting(0..<colon)
    for known in ["urn", "tag", "data", "uuid", "mailto"] as [StaticString]
    where scheme.equals(known) {
      hasOpaqueScheme = true
    }
  }

  /// Whether it is a URI or a CURIE, not a plain word.
  var isQualified: Bool { prefix != nil }

  /// Whether it is a name that other protocols' lists do not have.
  var isTypical: Bool { isQualified || isOfLeague }

  /// Whether it can only be a CURIE, which needs a PREFIX.
  var isCompact: Bool { prefix != nil && !hasAuthority && !hasOpaqueScheme }

  private static func isNameCharacter(_ byte: UInt8) -> Bool {
    byte.isWord || byte >= 0x80 || "-.+".utf8.contains(byte)
  }
}
