// SPDX-License-Identifier: Apache-2.0
import Crypto

/// The hash functions that cipher suites name, and what is made of them.
enum HashFunction: Hashable {
  case sha1, sha256, sha384

  /// Octets of a digest.
  var length: Int {
    switch self {
    case .sha1: 20
    case .sha256: 32
    case .sha384: 48
    }
  }

  /// HMAC (RFC 2104).
  func authenticationCode(for octets: [UInt8], key: SymmetricKey) -> [UInt8] {
    switch self {
    case .sha1: Array(HMAC<Insecure.SHA1>.authenticationCode(for: octets, using: key))
    case .sha256: Array(HMAC<SHA256>.authenticationCode(for: octets, using: key))
    case .sha384: Array(HMAC<SHA384>.authenticationCode(for: octets, using: key))
    }
  }

  /// HKDF-Expand-Label without a context (RFC 8446 §7.1).
  func expand(_ secret: [UInt8], label: String, length: Int) -> [UInt8] {
    let name = Array("tls13 \(label)".utf8)
    let info =
      [UInt8(length >> 8), UInt8(length & 0xFF), UInt8(name.count)] + name + [0]
    let key = SymmetricKey(data: secret)
    // RFC 5869 §2.3. T(0) is empty; each block is the HMAC of the one before, `info` and a number.
    var output: [UInt8] = []
    var block: [UInt8] = []
    var number: UInt8 = 1
    while output.count < length {
      block = authenticationCode(for: block + info + [number], key: key)
      output += block
      number += 1
    }
    return Array(output.prefix(length))
  }

  /// The pseudorandom function of TLS 1.2 (RFC 5246 §5).
  func pseudorandom(_ secret: [UInt8], label: String, seed: [UInt8], length: Int) -> [UInt8] {
    let key = SymmetricKey(data: secret)
    let seed = Array(label.utf8) + seed
    var output: [UInt8] = []
    var chain = seed
    while output.count < length {
      chain = authenticationCode(for: chain, key: key)
      output += authenticationCode(for: chain + seed, key: key)
    }
    return Array(output.prefix(length))
  }
}
