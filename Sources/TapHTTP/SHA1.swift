// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// SHA-1 (RFC 3174), only for Sec-WebSocket-Accept, where it protects nothing. Written out here, as
/// every WebSocket connection needs it, and a plain capture shall be readable without libcrypto.
enum SHA1 {
  private typealias Words = [80 of UInt32]

  /// The digest, 20 bytes.
  static func digest(of bytes: RawSpan) -> [UInt8] {
    var state: [5 of UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    let whole = bytes.byteCount / 64 * 64
    for start in stride(from: 0, to: whole, by: 64) { mix(bytes.dropping(start), into: &state) }
    // Padding: a set bit, zeros, and the length in bits.
    let rest = bytes.byteCount - whole
    let end = rest < 56 ? 64 : 128
    var last = [128 of UInt8](repeating: 0)
    for at in 0..<rest { last[at] = bytes.byte(at: whole + at) }
    last[rest] = 0x80
    let bits = UInt64(bytes.byteCount) &* 8
    for at in 1...8 { last[end - at] = UInt8(truncatingIfNeeded: bits &>> UInt64((at - 1) * 8)) }
    let blocks = last.span.bytes
    for start in stride(from: 0, to: end, by: 64) { mix(blocks.dropping(start), into: &state) }
    var digest = [UInt8](repeating: 0, count: 20)
    for at in 0..<20 {
      digest[at] = UInt8(truncatingIfNeeded: state[at >> 2] &>> UInt32(24 &- (at & 3) &* 8))
    }
    return digest
  }

  /// Mixes in one block of 64 bytes (RFC 3174 §6.2).
  private static func mix(_ block: RawSpan, into state: inout [5 of UInt32]) {
    var words = Words(repeating: 0)
    for index in 0..<16 { words[index] = block.uint32(at: index * 4) }
    for index in 16..<80 {
      let word = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
      words[index] = word << 1 | word >> 31
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    @inline(__always) func turn(
      _ a: UInt32, _ b: inout UInt32, _ e: inout UInt32, _ mixed: UInt32, _ added: UInt32
    ) {
      e = (a << 5 | a >> 27) &+ mixed &+ e &+ added
      b = b << 30 | b >> 2
    }
    // After five rounds, each variable is back in its place.
    @inline(__always) func rounds(
      from start: Int, _ constant: UInt32, _ mixed: (UInt32, UInt32, UInt32) -> UInt32
    ) {
      var index = start
      while index < start + 20 {
        turn(a, &b, &e, mixed(b, c, d), words[index] &+ constant)
        turn(e, &a, &d, mixed(a, b, c), words[index + 1] &+ constant)
        turn(d, &e, &c, mixed(e, a, b), words[index + 2] &+ constant)
        turn(c, &d, &b, mixed(d, e, a), words[index + 3] &+ constant)
        turn(b, &c, &a, mixed(c, d, e), words[index + 4] &+ constant)
        index += 5
      }
    }
    rounds(from: 0, 0x5A82_7999) { $0 & $1 | ~$0 & $2 }
    rounds(from: 20, 0x6ED9_EBA1) { $0 ^ $1 ^ $2 }
    rounds(from: 40, 0x8F1B_BCDC) { $0 & $1 | $0 & $2 | $1 & $2 }
    rounds(from: 60, 0xCA62_C1D6) { $0 ^ $1 ^ $2 }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
  }
}
