// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// An address, a network or a port that endpoints are compared with: `10.0.0.0/8`, `[::1]:80`,
/// `:8080`.
struct AddressForm: Sendable {
  /// In network byte order; empty for any.
  private var address: [UInt8] = []
  /// How many bits of it count.
  private var bits = 0
  private var port: UInt16?

  /// Nil for what is no address.
  init?(_ text: String) {
    var rest = text[...]
    if rest.hasPrefix("[") {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      guard let address = Self.ipv6(rest[rest.index(after: rest.startIndex)..<end]) else {
        return nil
      }
      self.address = address
      rest = rest[rest.index(after: end)...]
      if !rest.isEmpty && !rest.hasPrefix(":") { return nil }
    } else if rest.filter({ $0 == ":" }).count > 1 {
      let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count <= 2, let address = Self.ipv6(parts[0]) else { return nil }
      self.address = address
      rest = rest[parts[0].endIndex...]
    } else {
      let end = rest.firstIndex { $0 == ":" || $0 == "/" } ?? rest.endIndex
      if end > rest.startIndex {
        guard let address = Self.ipv4(rest[..<end]) else { return nil }
        self.address = address
      }
      rest = rest[end...]
    }
    bits = address.count * 8
    if rest.hasPrefix("/") {
      let end = rest.firstIndex(of: ":") ?? rest.endIndex
      guard let count = Int(rest[rest.index(after: rest.startIndex)..<end]), 0...bits ~= count,
        !address.isEmpty
      else { return nil }
      bits = count
      rest = rest[end...]
    }
    if rest.hasPrefix(":") {
      guard let number = UInt16(rest.dropFirst()) else { return nil }
      port = number
    } else if !rest.isEmpty || address.isEmpty {
      return nil
    }
  }

  func matches(_ endpoint: Endpoint) -> Bool {
    if let port, endpoint.port != port { return false }
    if address.isEmpty { return endpoint.isKnown }
    if endpoint.address.count != address.count { return false }
    for index in 0..<(bits + 7) / 8 {
      let used = min(bits - index * 8, 8)
      let mask = UInt8(truncatingIfNeeded: 0xFF00 >> used)
      if (endpoint.address[index] ^ address[index]) & mask != 0 { return false }
    }
    return true
  }

  private static func ipv4(_ text: Substring) -> [UInt8]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return parts.count == 4 && !parts.contains(nil) ? parts.map { $0! } : nil
  }

  /// RFC 4291 §2.2.
  private static func ipv6(_ text: Substring) -> [UInt8]? {
    let all = String(text)
    let halves = split(all)
    guard halves.count <= 2 else { return nil }
    var parts: [[UInt16]] = []
    for half in halves {
      var groups: [UInt16] = []
      for group in half.split(separator: ":", omittingEmptySubsequences: !half.contains(":")) {
        guard group.count <= 4, let value = UInt16(group, radix: 16) else { return nil }
        groups.append(value)
      }
      parts.append(groups)
    }
    let count = parts.reduce(0) { $0 + $1.count }
    if halves.count == 1 && count != 8 || halves.count == 2 && count > 7 { return nil }
    let middle = [UInt16](repeating: 0, count: 8 - count)
    let groups = parts[0] + middle + (parts.count > 1 ? parts[1] : [])
    return groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }

  /// The groups before and behind `::`.
  private static func split(_ text: String) -> [Substring] {
    var at = text.startIndex
    while at < text.endIndex {
      if text[at...].hasPrefix("::") {
        let behind = text.index(at, offsetBy: 2)
        return [text[..<at], text[behind...]] + (text[behind...].hasPrefix(":") ? [""] : [])
      }
      at = text.index(after: at)
    }
    return [text[...]]
  }
}
