// SPDX-License-Identifier: Apache-2.0

/// Hexadecimal digits of either case.
extension RawSpan {
  /// The number that digits stand for, fewer than sixteen; nil where one of them is none.
  public func hexNumber(at start: Int, digits count: Int) -> Int? {
    guard start + count <= byteCount else { return nil }
    var value = 0
    for at in start..<start + count {
      guard let digit = Digits.hexValue(byte(at: at)) else { return nil }
      value = value << 4 | Int(digit)
    }
    return value
  }

  /// The byte that two digits stand for.
  public func hexOctet(at start: Int) -> UInt8? {
    hexNumber(at: start, digits: 2).map { UInt8($0) }
  }

  /// The bytes of a text that consists of pairs of digits; nil for any other.
  public func hexOctets() -> [UInt8]? {
    if byteCount & 1 != 0 { return nil }
    var octets: [UInt8] = []
    octets.reserveCapacity(byteCount / 2)
    for at in stride(from: 0, to: byteCount, by: 2) {
      guard let octet = hexOctet(at: at) else { return nil }
      octets.append(octet)
    }
    return octets
  }
}
