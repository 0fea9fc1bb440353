// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// SHA-1 (RFC 3174), for Sec-WebSocket-Accept alone, where it protects nothing. Every WebSocket
/// connection has one, so that a plain capture is read without libcrypto.
enum SHA1 {
  private typealias Words = [16 of UInt32]

  /// The digest, 20 bytes.
  static func digest(of bytes: consuming [UInt8]) -> ContiguousArray<UInt8> {
    var state: [5 of UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    // What follows the bytes: a bit that is set, zeros, and their count in bits.
    let blocks = (bytes.count + 8) / 64 + 1
    let bits = UInt64(bytes.count) &* 8
    var padded = bytes
    padded.append(0x80)
    padded += repeatElement(0, count: blocks * 64 - padded.count - 8)
    for index in 1...8 { padded.append(UInt8(truncatingIfNeeded: bits &>> UInt64(64 - index * 8))) }
    let octets = padded.span.bytes
    for block in 0..<blocks {
      var words = Words(repeating: 0)
      for index in words.indices { words[index] = octets.uint32(at: block * 64 + index * 4) }
      mix(&words, into: &state)
    }
    return ContiguousArray(unsafeUninitializedCapacity: 20) { octets, count in
      for at in 0..<20 {
        octets[at] = UInt8(truncatingIfNeeded: state[at / 4] >> UInt32(24 - at % 4 * 8))
      }
      count = 20
    }
  }

  /// One block of 64 bytes (RFC 3174 §6.2).
  private static func mix(_ words: inout Words, into state: inout [5 of UInt32]) {
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    @inline(__always) func round(_ index: Int, _ mixed: UInt32, _ constant: UInt32) {
      let place = index & 15
      if index >= 16 {
        let word =
          words[(index &+ 13) & 15] ^ words[(index &+ 8) & 15] ^ words[(index &+ 2) & 15]
          ^ words[place]
        words[place] = word << 1 | word >> 31
      }
      let next = (a << 5 | a >> 27) &+ mixed &+ e &+ words[place] &+ constant
      (e, d, c, b, a) = (d, c, b << 30 | b >> 2, a, next)
    }
    for index in 0..<20 { round(index, b & c | ~b & d, 0x5A82_7999) }
    for index in 20..<40 { round(index, b ^ c ^ d, 0x6ED9_EBA1) }
    for index in 40..<60 { round(index, b & c | b & d | c & d, 0x8F1B_BCDC) }
    for index in 60..<80 { round(index, b ^ c ^ d, 0xCA62_C1D6) }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
  }
}
