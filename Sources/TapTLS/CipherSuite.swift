// SPDX-License-Identifier: Apache-2.0
import TapLibraries

/// What a cipher suite means for records, read off its name: how keys are exchanged is no matter to
/// who has the secrets.
struct CipherSuite: Hashable {
  enum Algorithm: Hashable {
    case gcm
    case chaChaPoly
    /// - Parameter tag: bytes of the authentication tag.
    case ccm(tag: Int)
    case cbc(HashFunction)
  }

  let code: UInt16
  let name: String
  let algorithm: Algorithm
  /// Bytes of the key.
  let keyLength: Int
  /// Of HKDF, or of the pseudorandom function of TLS 1.2.
  let hash: HashFunction

  /// Nil for one that this version does not open.
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

  /// How libcrypto opens it.
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
