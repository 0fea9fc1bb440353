// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// What stands before the payload of a packet: who sent it to whom, and maybe when.
///
///     T 2026/11/25 05:07:03.123456 10.0.0.1:5000 -> 10.0.0.22:8080 [AP] #4
///     010.000.000.001.05000-010.000.000.022.08080: GET / HTTP/1.1
struct PayloadHead {
  enum Tool { case ngrep, tcpflow }

  /// Bytes that it has at most.
  static let longest = 256

  /// When it was; nil without a time, and with the difference to another (`ngrep -T`).
  private(set) var time: (instant: Instant, precision: UInt8, certainty: DumpHead.Certainty)?
  /// As tcpdump writes them: `10.0.0.1.5000`.
  private(set) var (source, destination): ([UInt8], [UInt8]) = ([], [])
  /// Of another protocol, the payload is none of a connection.
  private(set) var isTCP = true
  /// Bytes of the line before the payload, where that begins on the same line.
  private(set) var count = 0

  /// Nil for any other line.
  init?(_ line: ArraySlice<UInt8>, of tool: Tool) {
    let first = line.prefix(Self.longest)
    switch tool {
    case .ngrep: if !readNgrep(first) { return nil }
    case .tcpflow: if !readTcpflow(first) { return nil }
    }
    if source.isEmpty || destination.isEmpty { return nil }
  }

  /// A line without the colours that `tcpflow -g` puts around a payload.
  static func plain(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line
    if line.starts(with: [0x1B, .openBracket]), let end = line.firstIndex(of: UInt8(ascii: "m")) {
      line = line[(end + 1)...]
    }
    let reset = [0x1B] + Array("[0m".utf8)
    return line.suffix(reset.count).elementsEqual(reset) ? line.dropLast(reset.count) : line
  }

  private mutating func readNgrep(_ line: ArraySlice<UInt8>) -> Bool {
    guard let letter = line.first, "TUI?".utf8.contains(letter), line.dropFirst().first == .space
    else { return false }
    isTCP = letter == UInt8(ascii: "T")
    var text = line.dropFirst(2)
    if text.first == UInt8(ascii: "+") {
      guard let blank = text.firstIndex(of: .space) else { return false }
      text = text[(blank + 1)...]
    } else if text.dropFirst(4).first == UInt8(ascii: "/") {
      // A day of the local time: with hyphens it is a time of tcpdump.
      let stamp = text.prefix(27).map { $0 == UInt8(ascii: "/") ? .hyphen : $0 }
      guard case .packet(let instant, let precision, let certainty)? = DumpHead(stamp) else {
        return false
      }
      time = (instant, precision, certainty)
      text = text.dropFirst(27)
    }
    guard let arrow = text.firstRange(of: Array(" -> ".utf8)) else { return false }
    source = Self.name(text[..<arrow.lowerBound], separator: .colon)
    let behind = text[arrow.upperBound...]
    let end = behind.firstIndex(of: .space) ?? behind.endIndex
    destination = Self.name(behind[..<end], separator: .colon)
    text = behind[end...]
    // Flags of TCP, and the number of the packet.
    if text.starts(with: " [".utf8), let close = text.firstIndex(of: .closeBracket) {
      text = text[(close + 1)...]
    } else if isTCP {
      return false
    }
    let number = text.starts(with: " #".utf8) ? text.dropFirst(2).drop { $0.isDigit } : text
    if number.isEmpty { text = number }
    count = line.count - text.dropFirst(text.isEmpty ? 0 : 1).count
    return true
  }

  private mutating func readTcpflow(_ line: ArraySlice<UInt8>) -> Bool {
    guard let end = line.firstRange(of: Array(": ".utf8)),
      let hyphen = line[..<end.lowerBound].firstIndex(of: .hyphen)
    else { return false }
    source = Self.name(line[..<hyphen], separator: .period)
    destination = Self.name(line[(hyphen + 1)..<end.lowerBound], separator: .period)
    count = end.upperBound - line.startIndex
    return true
  }

  /// An address and a port, without the zeros ahead of each number; empty for anything else.
  private static func name(_ text: ArraySlice<UInt8>, separator: UInt8) -> [UInt8] {
    guard let last = text.lastIndex(of: separator) else { return [] }
    let port = text[(last + 1)...]
    guard (1...5).contains(port.count), port.allSatisfy(\.isDigit) else { return [] }
    let groups = text[..<last].split(separator: .period, omittingEmptySubsequences: false)
    let isVersion4 = groups.count == 4 && groups.allSatisfy { $0.allSatisfy(\.isDigit) }
    let address =
      isVersion4
      ? groups.map(bare).joined(separator: [.period]).map { $0 }
      : Array(text[..<last])
    guard Endpoint.address(Substring(decoding: address, as: Unicode.UTF8.self)) != nil else {
      return []
    }
    return address + [.period] + bare(port)
  }

  private static func bare(_ digits: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let bare = digits.drop { $0 == UInt8(ascii: "0") }
    return bare.isEmpty ? digits.suffix(1) : bare
  }
}
