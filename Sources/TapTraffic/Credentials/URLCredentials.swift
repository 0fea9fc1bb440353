// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Where credentials stand in URLs (RFC 3986): the userinfo, path parameters, the query and the
/// fragment. A value may be a token unless it is known to be harmless.
public enum URLCredentials {
  /// Names whose values are shown unless they look like tokens.
  private static let harmless: Set<String> = [
    "eio", "transport", "v", "vsn", "version", "t", "protocol", "encoding", "format", "lang",
    "room", "c", "j", "compress",
  ]

  /// The ranges of credentials in a URL or a request target, in order.
  public static func ranges(in url: [UInt8]) -> [Range<Int>] {
    if !mayHaveAny(url.span.bytes) { return [] }
    var found: [Range<Int>] = []
    var at = 0
    if let start = authority(url.span.bytes) {
      let end = url[start...].firstIndex { isEndOfAuthority($0) } ?? url.count
      if let mark = url[start..<end].lastIndex(of: UInt8(ascii: "@")) {
        found.append(start..<mark)
      }
      at = end
    }
    let query = url[at...].firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    found += inPath(url, at..<(query ?? url.count))
    guard let query else { return found }
    for part in parts(of: url, from: query + 1) { found += inPair(url, part) }
    return found
  }

  /// Whether it has `@`, `?`, `#` or `;`, which introduce a credential, or the beginning of a JWT.
  private static func mayHaveAny(_ url: RawSpan) -> Bool {
    url.firstIndex(ofAny: 0x403F_233B_403F_233B, from: 0) < url.byteCount || url.contains("eyJ")
  }

  /// The URL with `***` for each credential, whatever its value or length.
  public static func without(_ url: [UInt8]) -> [UInt8] {
    var shown = url
    for range in ranges(in: url).reversed() {
      shown.replaceSubrange(range, with: "***".utf8)
    }
    return shown
  }

  private static func isEndOfAuthority(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  /// Where the authority begins, after `scheme://` or `//`; nil for a request target without one.
  public static func authority(_ url: RawSpan) -> Int? {
    if url.starts(with: "//") { return 2 }
    guard let colon = url.firstIndex(of: .colon), colon > 0,
      url.dropping(colon + 1).starts(with: "//")
    else { return nil }
    for at in 0..<colon where !url.byte(at: at).isAlpha { return nil }
    return colon + 3
  }

  /// Path parameters (RFC 3986 §3.3), such as `;jsessionid=…`, and path segments that are JWTs.
  private static func inPath(_ url: [UInt8], _ path: Range<Int>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    for segment in url[path].split(separator: UInt8(ascii: "/")) {
      if isJWT(segment) { found.append(segment.startIndex..<segment.endIndex) }
      for parameter in segment.split(separator: UInt8(ascii: ";")).dropFirst() {
        found += inPair(url, parameter.startIndex..<parameter.endIndex)
      }
    }
    return found
  }

  /// The pairs of a query and of a fragment, separated by `&` or, as some write them, `;` (HTML
  /// 4.01 §B.2.2).
  private static func parts(of url: [UInt8], from start: Int) -> [Range<Int>] {
    url[start...].split { "&;#".utf8.contains($0) }.map { $0.startIndex..<$0.endIndex }
  }

  private static func inPair(_ url: [UInt8], _ pair: Range<Int>) -> [Range<Int>] {
    guard let mark = url[pair].firstIndex(of: UInt8(ascii: "=")) else {
      // A long parameter without a name may be a token.
      return pair.count >= 16 ? [pair] : []
    }
    let name = String(decoding: url[pair.lowerBound..<mark], as: Unicode.UTF8.self).lowercased()
    let value = (mark + 1)..<pair.upperBound
    if value.isEmpty || harmless.contains(name) && !isTokenLike(url[value]) { return [] }
    let isLiteral = ["true", "false", "null"].contains { url[value].elementsEqual($0.utf8) }
    return isLiteral ? [] : [value]
  }

  /// Whether a value is long and does not consist of words (see `isWord`) between punctuation.
  static func isTokenLike(_ value: ArraySlice<UInt8>) -> Bool {
    if value.count <= 8 { return false }
    if value.count > 64 || isJWT(value) { return true }
    return !value.split { "-._/,%+".utf8.contains($0) }.allSatisfy(isWord)
  }

  /// `graphql`, `k8s`, `base64`, `v2`, `1700000000000`: letters and then digits, or short.
  static func isWord(_ part: ArraySlice<UInt8>) -> Bool {
    part.count <= 4 || part.count <= 20 && part.drop { $0.isAlpha }.allSatisfy(\.isDigit)
  }

  /// JSON Web Tokens begin with `{"` in base64 (RFC 7519).
  private static func isJWT(_ text: ArraySlice<UInt8>) -> Bool {
    text.count >= 16 && text.starts(with: "eyJ".utf8)
  }
}

extension URLCredentials {
  /// The ranges of credentials in free text: those in URLs, the word after an HTTP authentication
  /// scheme, the value of a cookie after this word, and JSON Web Tokens.
  public static func ranges(inText text: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    if !mayHave(text.span.bytes) { return found }
    var (isBehindScheme, isBehindCookie) = (false, false)
    for word in text.split(whereSeparator: { $0 <= 0x20 }) {
      let bare = word.unquoted
      if isBehindScheme && !bare.isEmpty {
        found.append(bare.startIndex..<bare.endIndex)
        isBehindScheme = false
        continue
      }
      isBehindScheme = CredentialScheme.contains(bare)
      defer { isBehindCookie = isCookie(bare) }
      if isBehindCookie, let value = cookie(bare) {
        found.append(value)
        continue
      }
      if isJWT(bare) && bare.contains(.period) {
        found.append(bare.startIndex..<bare.endIndex)
        continue
      }
      guard let start = bare.startOfURL else { continue }
      found += ranges(in: Array(bare[start...])).map {
        ($0.lowerBound + start)..<($0.upperBound + start)
      }
    }
    // Asterisks: another program has already masked the credential.
    return found.filter { !text[$0].allSatisfy { $0 == UInt8(ascii: "*") } }
  }

  private static func isCookie(_ word: ArraySlice<UInt8>) -> Bool {
    word.count == 6 && (word.elementsEqual("cookie".utf8) || word.elementsEqual("Cookie".utf8))
  }

  /// The value in `NAME=VALUE;max-age=86400`, or a word that looks like a token.
  private static func cookie(_ word: ArraySlice<UInt8>) -> Range<Int>? {
    let pair = word.prefix { $0 != UInt8(ascii: ";") }
    if let mark = pair.firstIndex(of: UInt8(ascii: "=")), mark + 1 < pair.endIndex {
      return (mark + 1)..<pair.endIndex
    }
    return isTokenLike(pair) ? pair.startIndex..<pair.endIndex : nil
  }
}

extension URLCredentials {
  /// A quick check: whether a text may contain a URL with credentials, an authentication scheme, or
  /// a JSON Web Token.
  private static func mayHave(_ text: RawSpan) -> Bool {
    if text.firstIndex(of: UInt8(ascii: "/")) != nil { return true }
    if text.firstIndex(of: UInt8(ascii: "?")) != nil { return true }
    if text.contains("eyJ") || text.contains("ookie ") { return true }
    var start = 0
    while let blank = text.firstIndex(of: .space, from: start) {
      // The word may be in quotes.
      let word = text.extracting(start..<blank)
      if CredentialScheme.contains(word) { return true }
      if word.byteCount > 1, CredentialScheme.contains(word.dropping(1)) { return true }
      start = blank + 1
    }
    return false
  }
}

/// A word of a text.
extension ArraySlice<UInt8> {
  /// The first part of the word that has no quotes or brackets in it.
  fileprivate var unquoted: ArraySlice<UInt8> {
    let start = firstIndex { !Self.isMark($0) } ?? endIndex
    return self[start..<(self[start...].firstIndex(where: Self.isMark) ?? endIndex)]
  }

  private static func isMark(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "("),
      UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
      UInt8(ascii: "}"), UInt8(ascii: ","):
      true
    default: false
    }
  }

  /// Where a URL, or the target of a request, begins.
  fileprivate var startOfURL: Int? {
    guard let slash = firstIndex(of: UInt8(ascii: "/")) else {
      return contains(UInt8(ascii: "?")) ? firstIndex(of: UInt8(ascii: "?")) : nil
    }
    if slash + 1 < endIndex, self[slash + 1] == UInt8(ascii: "/") {
      guard slash > startIndex, self[slash - 1] == UInt8(ascii: ":") else { return slash }
      let scheme = self[..<(slash - 1)].lastIndex { !$0.isAlpha }
      return scheme.map { $0 + 1 } ?? startIndex
    }
    let mark = firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: ";") }
    return mark.map { Swift.min($0, slash) }
  }
}
