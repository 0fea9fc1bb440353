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

  /// Nil when it is not an address.
  init?(_ text: String) {
    // Endpoints have no zone to compare.
    if text.contains("%") { return nil }
    var rest = text[...]
    if rest.hasPrefix("[") {
      guard let end = rest.firstIndex(of: "]"), let address = Endpoint.address(rest[...end]) else {
        return nil
      }
      self.address = address
      rest = rest[rest.index(after: end)...]
      if !rest.isEmpty && !rest.hasPrefix(":") { return nil }
    } else if rest.filter({ $0 == ":" }).count > 1 {
      let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count <= 2, let address = Endpoint.address(parts[0]) else { return nil }
      self.address = address
      rest = rest[parts[0].endIndex...]
    } else {
      let end = rest.firstIndex { $0 == ":" || $0 == "/" } ?? rest.endIndex
      if end > rest.startIndex {
        guard let address = Endpoint.address(rest[..<end]) else { return nil }
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
}
