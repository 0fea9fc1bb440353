// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Masks what is not a message: URLs, heads, words of programs.
extension Masker {
  private mutating func replace(_ ranges: [Range<Int>], in text: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    var done = 0
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.lowerBound >= done
    {
      out += text[done..<range.lowerBound]
      let secret = Array(text[range])
      if let token = MaskedToken(secret.span.bytes) {
        out += "<secret-\(number(token.name.span.bytes))".utf8
        out += token.rest
      } else {
        out += "<secret-\(number(secret.span.bytes))>".utf8
      }
      done = range.upperBound
    }
    return done == 0 ? text : out + text[done...]
  }

  /// A URL or request target, masked.
  mutating func url(_ url: [UInt8]) -> [UInt8] { replace(URLCredentials.ranges(in: url), in: url) }

  /// Words of a program, masked. They may quote URLs, heads and payloads: a finding, a line of a
  /// log.
  ///
  /// - Parameter secrets: where others stand that the caller knows.
  mutating func words(_ words: [UInt8], with secrets: [Range<Int>] = []) -> [UInt8] {
    var ranges = URLCredentials.ranges(inText: words) + known.ranges(in: words) + secrets
    var finder = CredentialFinder(.text, names)
    while let found = finder.next(in: words.span.bytes) {
      ranges.append(found.value.start..<found.value.end)
    }
    if ranges.isEmpty { return words }
    // Of ranges with the same start, the longest comes first.
    ranges.sort { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) }
    return replace(ranges, in: words)
  }

  mutating func words(_ words: String) -> String {
    let text = Array(words.utf8)
    let shown = self.words(text)
    return shown == text ? words : String(decoding: shown, as: Unicode.UTF8.self)
  }

  /// Masks what is shown of a connection.
  mutating func mask(_ opening: inout Opening) {
    if !opening.url.isEmpty { opening.url = url(opening.url) }
    if Opening.isToken(subprotocol: opening.subprotocol) {
      let token = opening.subprotocol
      opening.subprotocol = replace([0..<token.count], in: token)
    }
    let writer = opening.provenance.writer
    if !writer.isEmpty { opening.provenance.writer = words(writer) }
    if !opening.heads.isEmpty { opening.heads = opening.heads.map { head($0) } }
  }

  /// HTTP fields whose value is not a credential; of all others, only the name is shown.
  private static let harmlessFields: Set<String> = [
    ":authority", ":protocol", ":scheme", "host", "origin", "upgrade", "connection", "user-agent",
    "server", "date", "via", "pragma", "cache-control", "accept-language", "accept-encoding",
    "content-length", "content-type", "sec-websocket-key", "sec-websocket-accept",
    "sec-websocket-version", "sec-websocket-extensions", "sec-websocket-protocol",
  ]

  /// One line of the heads of an opening: `> GET /ws HTTP/1.1`, `> host: example`.
  private mutating func head(_ line: [UInt8]) -> [UInt8] {
    let start = 2
    let isHead = line.starts(with: "> ".utf8) || line.starts(with: "< ".utf8)
    guard isHead, let end = line[start...].firstRange(of: Array(": ".utf8)) else {
      return words(line)
    }
    let name = String(decoding: line[start..<end.lowerBound], as: Unicode.UTF8.self)
    let (label, value) = (Array(line[..<end.upperBound]), Array(line[end.upperBound...]))
    if name.contains(" ") { return words(line) }
    if !Self.harmlessFields.contains(name) {
      return label + replace([0..<value.count].filter { !$0.isEmpty }, in: value)
    }
    // Browsers cannot set headers for a WebSocket, so some applications send tokens as
    // subprotocols.
    if name == "sec-websocket-protocol" {
      let parts = value.split(separator: .comma, omittingEmptySubsequences: false)
      let ranges = parts.map { part -> Range<Int> in
        let begin = part.firstIndex { $0 > 0x20 } ?? part.endIndex
        return begin..<part.endIndex
      }
      return label
        + replace(ranges.filter { Opening.isToken(subprotocol: Array(value[$0])) }, in: value)
    }
    if name == "host" || name == ":authority" {
      let asURL = Array("//".utf8) + value
      return label + url(asURL).dropFirst(2)
    }
    return label + words(value)
  }
}
