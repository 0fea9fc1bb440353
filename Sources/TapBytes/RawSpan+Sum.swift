// SPDX-License-Identifier: Apache-2.0

extension RawSpan {
  /// The sum of these bytes as little-endian 32-bit numbers, the last padded with zeros. Modulo
  /// 65,535 it is the sum of the Internet checksum (RFC 1071), with the bytes of each pair swapped.
  @inlinable public var wordSum: UInt64 {
    // Sums of 64-bit words, and of their upper halves. Overflow does no harm: the lower halves
    // result when the upper ones are subtracted again.
    var (words, uppers) = (SIMD4<UInt64>(), SIMD4<UInt64>())
    var at = 0
    while at &+ 32 <= byteCount {
      let four = SIMD4(
        word(unchecked: at), word(unchecked: at &+ 8), word(unchecked: at &+ 16),
        word(unchecked: at &+ 24))
      words &+= four
      uppers &+= four &>> 32
      at &+= 32
    }
    let upper = uppers.wrappedSum()
    var sum = words.wrappedSum() &- upper << 32 &+ upper
    while at &+ 8 <= byteCount {
      let word = word(unchecked: at)
      sum &+= word & 0xFFFF_FFFF &+ word >> 32
      at &+= 8
    }
    var rest: UInt64 = 0
    if at > 0 && at < byteCount {
      // The last eight bytes overlap those before, which are shifted out.
      rest = word(unchecked: byteCount &- 8) >> UInt64((8 &- (byteCount &- at)) &* 8)
    } else {
      var shift: UInt64 = 0
      while at < byteCount {
        rest |= UInt64(byte(at: at)) << shift
        shift &+= 8
        at &+= 1
      }
    }
    return sum &+ rest & 0xFFFF_FFFF &+ rest >> 32
  }
}
