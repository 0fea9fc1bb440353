// SPDX-License-Identifier: Apache-2.0
import TapLibraries

/// What a cipher suite's name says about the protection of records. The key exchange does not
/// matter, as the secrets come from a key log.
struct CipherSuite: Hashable {
  enum Algorithm: Hashable {
    case gcm
    case chaChaPoly
    /// - Parameter tag: the length of the authentication tag in bytes.
    case ccm(tag: Int)
    case cbc(HashFunction)
  }

  let code: UInt16
  let name: String
  let algorithm: Algorithm
  /// The key length in bytes.
  let keyLength: Int
  /// For HKDF, or for TLS 1.2's pseudorandom function.
  let hash: HashFunction

  /// Nil for a suite that this version cannot decrypt.
  init?(_ code: UInt16) {
    guard let name = CipherSuites.names[code] else { return nil }
    self.init(code, name)
  }

  private init?(_ code: UInt16, _ name: String) {
    (self.code, self.name) = (code, name)
    let isLong = name.hasSuffix("_SHA384")
    hash = isLong ? .sha384 : .sha256
    if name.contains("CHACHA20") {
      (algorithm, keyLength) = (.chaChaPoly, 32)
      return
    }
    keyLength = name.contains("_256_") ? 32 : 16
    if name.contains("_GCM_") {
      algorithm = .gcm
    } else if name.contains("_CCM") {
      algorithm = .ccm(tag: name.contains("_CCM_8") ? 8 : 16)
    } else if name.contains("_CBC_") {
      let isSHA1 = name.hasSuffix("_SHA")
      algorithm = .cbc(isSHA1 ? .sha1 : isLong ? .sha384 : .sha256)
    } else {
      return nil
    }
  }

  /// The libcrypto mode.
  var mode: Cipher.Mode {
    switch algorithm {
    case .gcm: .gcm
    case .chaChaPoly: .chaChaPoly
    case .ccm(let tag): .ccm(tag: tag)
    case .cbc: .cbc
    }
  }

  /// The suites of TLS 1.3 (RFC 8446 §B.4).
  var isTLS13: Bool { code >> 8 == 0x13 }
}
