// SPDX-License-Identifier: Apache-2.0

import TapBytes
/// Finds the TCP payload in the text of a packet, whose headers are mostly dots: where it may begin
/// follows from how many bytes it has, and from what can be read of the headers (RFC 791 §3.1, RFC
/// 8200 §3, RFC 9293 §3.1).
enum PrintedPacket {
  /// Bytes before the IP header that -AA prints: of Ethernet, also with tags, of Linux' cooked
  /// captures, and of loopbacks.
  private static let links = [0, 14, 18, 16, 20, 4, 22]

  /// Nil when the headers do not fit what the line above them says.
  ///
  /// - Parameter length: bytes of the payload.
  static func payload(_ text: ArraySlice<UInt8>, length: Int) -> ArraySlice<UInt8>? {
    if length == 0 { return text.suffix(0) }
    for link in links {
      let packet = text.dropFirst(link)
      guard let header = network(packet) else { continue }
      let starts = transport(packet, header, length)
      if starts.isEmpty || text.endIndex - starts[0] != length,
        let tail = tail(packet, header, length)
      {
        return tail
      }
      let head = starts.first { start in
        ["GET ", "HTTP/1."].contains { packet[start...].starts(with: $0.utf8) }
      }
      if let start = head ?? starts.first { return packet[start...].prefix(length) }
    }
    return nil
  }

  /// The payload counted from the end, where CR LF in the headers has lost bytes: addresses have
  /// LF in them often enough.
  private static func tail(
    _ text: ArraySlice<UInt8>, _ header: Int, _ length: Int
  ) -> ArraySlice<UInt8>? {
    let (tail, front) = (text.suffix(length), text.dropLast(length))
    let breaks = front.count { $0 == .lineFeed }
    guard tail.count == length, breaks > 0, !tail.contains(.lineFeed) else { return nil }
    // TCP's header has full words.
    let lost = (1...min(breaks, 3)).first { (front.count + $0 - header) % 4 == 0 }
    guard let lost, (20...60).contains(front.count + lost - header) else { return nil }
    return tail
  }

  /// How long the IP header is; nil where there is none of a TCP packet.
  private static func network(_ text: ArraySlice<UInt8>) -> Int? {
    guard text.count > 40, let first = text.first else { return nil }
    let start = text.startIndex
    if (0x45...0x4F).contains(first), PrintedOctet.fits(text[start + 9], 6) {
      return Int(first & 15) * 4
    }
    return first == UInt8(ascii: "`") && PrintedOctet.fits(text[start + 6], 6) ? 40 : nil
  }

  /// Where the payload may begin, the likeliest place first.
  private static func transport(
    _ text: ArraySlice<UInt8>, _ header: Int, _ length: Int
  ) -> [Int] {
    let start = text.startIndex
    let isVersion6 = text[start] == UInt8(ascii: "`")
    let field = text[(start + (isVersion6 ? 4 : 2))...].prefix(2)
    let breaks = text.count { $0 == .lineFeed }
    var (exact, others): ([Int], [Int]) = ([], [])
    for own in stride(from: 20, through: 60, by: 4) where text.count > header + own {
      // Four bits of the offset; of the next four, only the last has a meaning today.
      let offset = text[start + header + 12]
      guard (0...1).contains(where: { PrintedOctet.fits(offset, UInt8(own << 2 | $0)) }) else {
        continue
      }
      let all = header + own + length
      // Large segments that the network card is to split have 0 there.
      let total = isVersion6 ? all - header : all
      guard total > 0xFFFF || PrintedOctet.fits(field, total) || PrintedOctet.fits(field, 0)
      else { continue }
      // CR LF is one character, and behind short packets stands their padding.
      if text.count <= all && text.count + breaks >= all {
        exact.append(start + header + own)
      } else {
        others.append(start + header + own)
      }
    }
    return exact + others
  }
}
