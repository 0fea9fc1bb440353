// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Parses endpoints; the reverse of `append(to:)`.
extension Endpoint {
  /// `10.1.0.1:8080` or `[fd77::1]:8080`; nil for other text.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard let colon = bytes.lastIndex(of: .colon),
      let port = Self.decimal(bytes[(colon + 1)...], mostDigits: 5).flatMap({ UInt16(exactly: $0) }
      ),
      let address = Self.address(bytes[..<colon])
    else { return nil }
    self.init(address: address, port: port)
  }

  /// The octets of `10.1.0.1`, `fd77::1` or `[fd77::1]`; nil for other text.
  public static func address(_ text: some StringProtocol) -> [UInt8]? {
    address(Array(text.utf8)[...])
  }

  private static func address(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    if text.first == .openBracket && text.last == .closeBracket {
      return version6(text.dropFirst().dropLast())
    }
    return text.contains(.colon) ? version6(text) : version4(text)
  }

  private static func version4(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let parts = text.split(separator: .period, omittingEmptySubsequences: false)
    let octets = parts.compactMap { decimal($0, mostDigits: 3).flatMap { UInt8(exactly: $0) } }
    return octets.count == 4 && parts.count == 4 ? octets : nil
  }

  /// RFC 4291 §2.2. A zone after `%` (RFC 4007 §11) names the interface, and is ignored.
  private static func version6(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let bare = text.prefix { $0 != UInt8(ascii: "%") }
    let gap = zip(bare.indices, bare.indices.dropFirst()).first {
      bare[$0] == .colon && bare[$1] == .colon
    }
    guard let gap else { return groups(bare).flatMap { $0.count == 16 ? $0 : nil } }
    // `::` stands for at least one group of zeros.
    guard let head = groups(bare[..<gap.0], isEnd: false), let tail = groups(bare[(gap.1 + 1)...]),
      head.count + tail.count <= 14
    else { return nil }
    return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
  }

  /// - Parameter isEnd: the last part may be an IPv4 address.
  private static func groups(_ text: ArraySlice<UInt8>, isEnd: Bool = true) -> [UInt8]? {
    if text.isEmpty { return [] }
    var octets: [UInt8] = []
    let parts = text.split(separator: .colon, omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if isEnd && index == parts.count - 1, let last = version4(part) { return octets + last }
      guard (1...4).contains(part.count), part.allSatisfy(\.isHexDigit) else { return nil }
      let group = part.reduce(0) { $0 << 4 | UInt16(Digits.hexValue($1) ?? 0) }
      octets += [UInt8(group >> 8), UInt8(group & 0xFF)]
    }
    return octets
  }

  /// Nil for anything but digits, and for a leading zero: some programs read `010` as octal.
  private static func decimal(_ digits: ArraySlice<UInt8>, mostDigits: Int) -> Int? {
    guard (1...mostDigits).contains(digits.count), digits.allSatisfy(\.isDigit),
      digits.count == 1 || digits.first != UInt8(ascii: "0")
    else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}
