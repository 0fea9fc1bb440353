// SPDX-License-Identifier: Apache-2.0

/// SHA-1 (RFC 3174), for Sec-WebSocket-Accept alone, where it protects nothing. Every WebSocket
/// connection has one, so that a plain capture is read without libcrypto.
enum SHA1 {
  /// The digest, 20 bytes.
  static func digest(of bytes: [UInt8]) -> ContiguousArray<UInt8> {
    var padded = bytes + [0x80]
    while padded.count & 63 != 56 { padded.append(0) }
    withUnsafeBytes(of: (UInt64(bytes.count) &* 8).bigEndian) { padded += $0 }
    var state: [5 of UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    for start in stride(from: 0, to: padded.count, by: 64) { mix(padded, start, into: &state) }
    var digest = ContiguousArray<UInt8>()
    digest.reserveCapacity(20)
    for index in state.indices {
      withUnsafeBytes(of: state[index].bigEndian) { digest += $0 }
    }
    return digest
  }

  /// One block of 64 bytes (RFC 3174 §6.1).
  private static func mix(_ bytes: [UInt8], _ start: Int, into state: inout [5 of UInt32]) {
    var words: [80 of UInt32] = .init(repeating: 0)
    for index in 0..<64 {
      words[index >> 2] = words[index >> 2] << 8 | UInt32(bytes[start + index])
    }
    for index in 16..<80 {
      let word = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
      words[index] = word << 1 | word >> 31
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for index in 0..<80 {
      let (mixed, constant): (UInt32, UInt32) =
        switch index {
        case ..<20: (b & c | ~b & d, 0x5A82_7999)
        case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      let next = (a << 5 | a >> 27) &+ mixed &+ e &+ words[index] &+ constant
      (e, d, c, b, a) = (d, c, b << 30 | b >> 2, a, next)
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
  }
}
