// SPDX-License-Identifier: Apache-2.0
import TapLibraries

/// Functions based on the cipher suite's hash function; they return nothing without libcrypto.
extension HashFunction {
  /// HKDF-Expand-Label without a context (RFC 8446 §7.1).
  func expand(_ secret: [UInt8], label: String, length: Int) -> [UInt8] {
    let name = Array("tls13 \(label)".utf8)
    let info =
      [UInt8(length >> 8), UInt8(length & 0xFF), UInt8(name.count)] + name + [0]
    // RFC 5869 §2.3: T(0) is empty; each block is the HMAC of the previous one, `info` and a
    // number.
    guard Libcrypto.isLoaded else { return [] }
    var output: [UInt8] = []
    var block: [UInt8] = []
    var number: UInt8 = 1
    while output.count < length {
      block = authenticationCode(for: block + info + [number], key: secret)
      output += block
      number += 1
    }
    return Array(output.prefix(length))
  }

  /// The pseudorandom function of TLS 1.2 (RFC 5246 §5).
  func pseudorandom(_ secret: [UInt8], label: String, seed: [UInt8], length: Int) -> [UInt8] {
    let seed = Array(label.utf8) + seed
    guard Libcrypto.isLoaded else { return [] }
    var output: [UInt8] = []
    var chain = seed
    while output.count < length {
      chain = authenticationCode(for: chain, key: secret)
      output += authenticationCode(for: chain + seed, key: secret)
    }
    return Array(output.prefix(length))
  }
}
