// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// What stands in the text of a dump, read as far as it is certain.
extension PrintedConversation {
  /// A message with `·` for each byte that is not known, how many these are, and how much before
  /// the first is certain. Two dots and more may be a character of other scripts. A single one is
  /// none: in UTF-8 that would take two bytes, and JSON allows no controls in strings (RFC 8259
  /// §7); outside of strings it is the point of a number. Text that begins with a command in
  /// capitals ends with NUL (STOMP).
  static func marked(_ text: [UInt8]) -> (text: [UInt8], unknown: Int, certain: Int) {
    var text = text
    if let first = text.first, first &- 0x41 < 26,
      let last = text.lastIndex(where: { $0 != .lineFeed }), text[last] == PrintedOctet.dot
    {
      text[last] = 0
    }
    var (marked, unknown, certain): ([UInt8], Int, Int?) = ([], 0, nil)
    marked.reserveCapacity(text.count)
    var at = 0
    while at < text.count {
      let dots = text[at...].prefix { $0 == PrintedOctet.dot }.count
      if dots < 2 {
        marked.append(text[at])
        at += 1
        continue
      }
      if certain == nil { certain = marked.count }
      for _ in 0..<dots { marked += "·".utf8 }
      unknown += dots
      at += dots
    }
    return (marked, unknown, certain ?? marked.count)
  }

  /// The value of a field of a head; nil when it has none of that name.
  static func field(_ name: String, _ head: [UInt8]) -> [UInt8]? {
    for line in head.split(separator: .lineFeed) {
      guard let colon = line.firstIndex(of: .colon) else { continue }
      let own = String(decoding: line[..<colon], as: Unicode.UTF8.self).lowercased()
      if own == name { return Array(line[(colon + 1)...].drop { $0 == .space }) }
    }
    return nil
  }

  /// `10.0.0.7.51234`, `fd77::1.8080`, and `10.0.0.7:51234` of followed streams; unknown for names.
  static func endpoint(_ name: [UInt8]) -> Endpoint {
    let text = String(decoding: name, as: Unicode.UTF8.self)
    if let dot = text.lastIndex(of: "."), let port = port(text[text.index(after: dot)...]),
      let address = Endpoint.address(text[..<dot])
    {
      return Endpoint(address: address, port: port)
    }
    return Endpoint(text) ?? .unknown
  }

  /// A number, or one of the names under which WebSocket is usual (RFC 6335).
  private static func port(_ text: Substring) -> UInt16? {
    switch text {
    case "http": 80
    case "https": 443
    case "http-alt", "webcache": 8080
    default: UInt16(text)
    }
  }
}
