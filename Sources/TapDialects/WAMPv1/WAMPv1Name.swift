// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The name of a topic, a procedure or an error: a URI, or a CURIE, which is a prefix, a colon and
/// the rest of a URI (WAMP v1, "URIs and CURIEs").
struct WAMPv1Name {
  /// Bytes before the colon; nil when there is none.
  private(set) var prefix: Int?
  /// It has the form of a URI that no CURIE has: `//` behind the colon.
  private(set) var hasAuthority = false
  /// What stands before the colon is the scheme of URIs that have no authority.
  private(set) var hasOpaqueScheme = false

  /// A topic of the client of League of Legends, which is a word.
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

  /// Whether it is a URI or a CURIE, and no mere word.
  var isQualified: Bool { prefix != nil }

  /// Whether it is one that lists of other protocols do not have.
  var isTypical: Bool { isQualified || isOfLeague }

  /// Whether it can only be a CURIE, so that there must be a PREFIX for it.
  var isCompact: Bool { prefix != nil && !hasAuthority && !hasOpaqueScheme }

  private static func isNameCharacter(_ byte: UInt8) -> Bool {
    byte.isWord || byte >= 0x80 || "-.+".utf8.contains(byte)
  }
}
