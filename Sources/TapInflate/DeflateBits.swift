// SPDX-License-Identifier: Apache-2.0

/// The bits of a deflate stream, the lowest of each byte first (RFC 1951 §3.1.1).
struct DeflateBits {
  private let octets: [UInt8]
  private var at = 0
  private var held = 0
  private var count = 0

  init(_ octets: [UInt8]) { self.octets = octets }

  /// A number of `wanted` bits, at most 16; nil when there are fewer.
  mutating func take(_ wanted: Int) -> Int? {
    while count < wanted {
      guard at < octets.count else { return nil }
      held |= Int(octets[at]) << count
      count += 8
      at += 1
    }
    let value = held & (1 << wanted - 1)
    held >>= wanted
    count -= wanted
    return value
  }

  /// Continues at the next byte boundary.
  mutating func align() {
    held >>= count & 7
    count -= count & 7
  }

  /// Skips the content of a stored block (RFC 1951 §3.2.4); false when it is incomplete.
  mutating func passStored() -> Bool {
    align()
    guard let length = take(16), take(16) != nil else { return false }
    at += length - count / 8
    (held, count) = (0, 0)
    return at <= octets.count
  }
}
