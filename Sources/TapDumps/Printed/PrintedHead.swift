// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// The line that tcpdump prints above the text of a packet: when it was, who sent it to whom, and
/// how many bytes it carries.
struct PrintedHead {
  /// Bytes of such a line at most: options and the first line of a request stand on it.
  static let longest = 4096

  /// When it was; nil without a time, and with the difference to another.
  var time: (instant: Instant, precision: UInt8, certainty: DumpHead.Certainty)?
  /// As they stand there: `10.0.0.7.51234`, or names.
  var (source, destination): ([UInt8], [UInt8]) = ([], [])
  /// Bytes of the TCP payload; nil where the packet is none of TCP.
  var length: Int?
  /// The sequence number of its first byte; nil where the line does not say.
  var sequence: UInt32?
  /// Flags of TCP.
  var (isSyn, hasAcknowledgment) = (false, false)
  /// The addresses stand on the next line.
  var goesOn = false
  /// Printed with -v: lines of what tcpdump understands may stand before the text.
  private(set) var isVerbose = false

  /// Nil for any other line.
  init?(_ line: ArraySlice<UInt8>) {
    guard line.count >= 5, line.count <= Self.longest else { return nil }
    var text = line
    // `--number`: blanks, a number and two blanks.
    let number = text.drop { $0 == .space }
    let digits = number.prefix { $0.isDigit }
    if !digits.isEmpty, number.dropFirst(digits.count).starts(with: [0x20, 0x20]) {
      text = number.dropFirst(digits.count + 2)
    }
    let isDifference = text.first == .space
    let bare = text.drop { $0 == .space }
    if let first = bare.first, first.isDigit {
      guard case .packet(let instant, let precision, let certainty)? = DumpHead(Array(bare)) else {
        return nil
      }
      if !isDifference { time = (instant, precision, certainty) }
      guard let space = bare.firstIndex(of: .space) else { return nil }
      text = bare[space...].dropFirst()
      // Behind a date stands the time of the day.
      if certainty == .noZone {
        guard let next = text.firstIndex(of: .space) else { return nil }
        text = text[next...].dropFirst()
      }
    } else if isDifference {
      return nil
    }
    // `lo    In  IP` of all interfaces, and addresses of the link with -e.
    guard let network = Self.network(text) else { return nil }
    if network.first == UInt8(ascii: "(") {
      isVerbose = true
      // With IPv6, the addresses stand behind the bracket, with IPv4 on the next line.
      read(network)
      goesOn = source.isEmpty
    } else {
      read(network)
    }
  }

  /// The second line of -v.
  init?(second line: ArraySlice<UInt8>) {
    guard line.starts(with: "    ".utf8), line.count <= Self.longest else { return nil }
    read(line.dropFirst(4))
    isVerbose = true
    if source.isEmpty { return nil }
  }

  /// What stands behind `IP`, or behind the addresses of the link; nil where neither does.
  private static func network(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var rest = text
    for _ in 0..<6 {
      for name in ["IP ", "IP6 "] where rest.starts(with: name.utf8) {
        return rest.dropFirst(name.utf8.count)
      }
      for name in ["ARP, ", "ARP ", "ethertype "] where rest.starts(with: name.utf8) {
        guard let length = rest.firstRange(of: Array(", length ".utf8)) else { return [] }
        let behind = rest[length.upperBound...].drop { $0.isDigit }
        return behind.starts(with: ": ".utf8) ? behind.dropFirst(2) : []
      }
      // With -e, the rest begins behind the type of what the link carries.
      if let type = rest.firstRange(of: Array(", ethertype ".utf8)),
        type.lowerBound - rest.startIndex < 128
      {
        rest = rest[type.lowerBound...].dropFirst(2)
        continue
      }
      let word = rest.prefix { $0 > 0x20 }
      guard !word.isEmpty, word.count <= 16,
        word.allSatisfy({
          $0.isAlpha || $0.isDigit || "-._@?".utf8.contains($0)
        })
      else { return nil }
      rest = rest.dropFirst(word.count).drop { $0 == .space }
    }
    return nil
  }

  /// `SOURCE > DESTINATION: Flags [P.], seq 1:272, ack 1, …, length 271`, or `…: tcp 271`.
  private mutating func read(_ text: ArraySlice<UInt8>) {
    guard let arrow = text.firstRange(of: Array(" > ".utf8)),
      let colon = text[arrow.upperBound...].firstRange(of: Array(": ".utf8))
    else { return }
    // Behind what -v says of the header.
    source = Array(text[..<arrow.lowerBound].split(separator: .space).last ?? [])
    destination = Array(text[arrow.upperBound..<colon.lowerBound])
    let words = text[colon.upperBound...]
    if words.starts(with: "tcp ".utf8) {
      length = Self.number(words.dropFirst(4))
      return
    }
    guard words.starts(with: "Flags [".utf8), let close = words.firstIndex(of: .closeBracket) else {
      return
    }
    let flags = words[..<close].dropFirst(7)
    isSyn = flags.contains(UInt8(ascii: "S"))
    hasAcknowledgment = flags.contains(UInt8(ascii: "."))
    length = Self.number(behind: ", length ", words)
    sequence = Self.number(behind: ", seq ", words).flatMap { UInt32(exactly: $0) }
  }

  private static func number(behind words: String, _ text: ArraySlice<UInt8>) -> Int? {
    text.firstRange(of: Array(words.utf8)).flatMap { number(text[$0.upperBound...]) }
  }

  private static func number(_ text: ArraySlice<UInt8>) -> Int? {
    let digits = text.prefix { $0.isDigit }
    guard !digits.isEmpty, digits.count <= 10 else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}
