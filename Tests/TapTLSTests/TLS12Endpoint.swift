// SPDX-License-Identifier: Apache-2.0
import TapLibraries
import TapTesting

/// One side of TLS 1.2 with TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, written down from RFC 5246 and
/// RFC 5288 apart from the code that is tested.
struct TLS12Endpoint {
  private let key: [UInt8]
  private let salt: [UInt8]
  private var sequence: UInt64 = 0

  init(_ master: [UInt8], client: [UInt8], server: [UInt8], isClient: Bool) {
    let seed = Array("key expansion".utf8) + server + client
    var (state, block) = (seed, [UInt8]())
    while block.count < 40 {
      state = Self.hash(master, state)
      block += Self.hash(master, state + seed)
    }
    key = Array(isClient ? block[0..<16] : block[16..<32])
    salt = Array(isClient ? block[32..<36] : block[36..<40])
  }

  private static func hash(_ key: [UInt8], _ content: [UInt8]) -> [UInt8] {
    HashFunction.sha256.authenticationCode(for: content, key: key)
  }

  /// A record (RFC 5288 §3).
  mutating func seal(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
    let number = (0..<8).reversed().map { UInt8(truncatingIfNeeded: sequence >> (8 * $0)) }
    sequence += 1
    let sealed = Cipher.Mode.gcm.seal(
      content, key: key, nonce: salt + number,
      authenticated: number + [type, 3, 3] + PacketBuilder.big(UInt16(content.count)))
    let length = PacketBuilder.big(UInt16(8 + content.count + 16))
    return [type, 3, 3] + length + number + sealed
  }
}
