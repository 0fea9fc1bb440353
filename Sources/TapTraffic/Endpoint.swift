// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// An IP address and a port.
public struct Endpoint: Sendable, Hashable {
  /// 4 bytes for IPv4, 16 for IPv6, in network byte order; empty when it is not known.
  public var address: [UInt8]
  public var port: UInt16

  /// Hashes the bytes in one call: an array would hash them one by one.
  public func hash(into hasher: inout Hasher) {
    address.withUnsafeBytes { hasher.combine(bytes: $0) }
    hasher.combine(port)
  }

  public init(address: [UInt8], port: UInt16) { (self.address, self.port) = (address, port) }

  /// Of evidence that has no packets.
  public static let unknown = Endpoint(address: [], port: 0)

  public var isKnown: Bool { !address.isEmpty }

  /// 127.0.0.0/8 or ::1.
  public var isLoopback: Bool {
    address.count == 4 ? address[0] == 127 : address == [UInt8](repeating: 0, count: 15) + [1]
  }

  /// `10.0.0.7:51234`, or `[fd77::1]:49662` (RFC 5952).
  public func append(to text: inout TextBuffer) {
    if !isKnown { return text.append("unknown") }
    if address.count == 4 {
      for (index, octet) in address.enumerated() {
        if index > 0 { text.append(".") }
        text.append(decimal: UInt64(octet))
      }
    } else {
      text.append("[")
      appendIPv6(to: &text)
      text.append("]")
    }
    text.append(":")
    text.append(decimal: UInt64(port))
  }

  /// RFC 5952: lower case, no leading zeros, the longest run of two or more zero groups as `::`.
  private func appendIPv6(to text: inout TextBuffer) {
    var groups: [UInt16] = []
    for index in stride(from: 0, to: min(address.count, 16) - 1, by: 2) {
      groups.append(UInt16(address[index]) << 8 | UInt16(address[index + 1]))
    }
    var best = 0..<0
    var start = 0
    while start < groups.count {
      var end = start
      while end < groups.count, groups[end] == 0 { end += 1 }
      if end - start > max(best.count, 1) { best = start..<end }
      start = max(end, start + 1)
    }
    for index in groups.indices {
      if best.contains(index) {
        if index == best.lowerBound { text.append("::") }
        continue
      }
      if index > 0 && index != best.upperBound { text.append(":") }
      text.append(String(groups[index], radix: 16))
    }
  }
}

extension Endpoint: CustomStringConvertible {
  public var description: String {
    var text = TextBuffer(capacity: 64)
    append(to: &text)
    return String(decoding: text.bytes.copied(), as: Unicode.UTF8.self)
  }
}
