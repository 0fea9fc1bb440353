// SPDX-License-Identifier: Apache-2.0
import TapLibraries

/// The keys of one direction until the next change. A class, as every record needs them.
final class RecordKeys {
  let suite: CipherSuite
  /// Nil without libcrypto; the key schedule checks for it first.
  let cipher: Cipher?
  /// All 12 bytes of the nonce before XOR with the sequence number, or the 4 bytes of TLS 1.2 that
  /// are not in the record (RFC 5288 §3); empty with CBC.
  let iv: [UInt8]
  /// For CBC suites.
  let macKey: [UInt8]?
  /// RFC 7366.
  let encryptsThenMACs: Bool
  let isTLS13: Bool
  /// The secret from which the next keys are derived (RFC 8446 §7.2).
  private let secret: [UInt8]
  /// For trials, of TLS 1.3; most keys are never tried.
  private(set) lazy var stream = KeyStream(suite.mode, key: suite.key(secret))

  /// Derives keys from a TLS 1.3 traffic secret (RFC 8446 §7.3).
  init(trafficSecret secret: [UInt8], _ suite: CipherSuite) {
    (self.suite, self.secret, isTLS13) = (suite, secret, true)
    (macKey, encryptsThenMACs) = (nil, false)
    cipher = Cipher(suite.mode, key: suite.key(secret))
    iv = suite.hash.expand(secret, label: "iv", length: 12)
  }

  /// Derives keys from a TLS 1.2 master secret (RFC 5246 §6.3).
  init(
    masterSecret: [UInt8], _ suite: CipherSuite, clientRandom: [UInt8], serverRandom: [UInt8],
    isClient: Bool, encryptsThenMACs: Bool
  ) {
    (self.suite, secret, isTLS13) = (suite, [], false)
    self.encryptsThenMACs = encryptsThenMACs
    var (macLength, ivLength) = (0, 4)
    switch suite.algorithm {
    case .cbc(let hash): (macLength, ivLength) = (hash.length, 0)
    case .chaChaPoly: ivLength = 12
    case .gcm, .ccm: break
    }
    let block = suite.hash.pseudorandom(
      masterSecret, label: "key expansion", seed: serverRandom + clientRandom,
      length: 2 * (macLength + suite.keyLength + ivLength))
    // Of each kind of key, first the client's write key, then the server's.
    var rest = block[...]
    func take(_ length: Int) -> [UInt8] {
      let both = rest.prefix(2 * length)
      rest = rest.dropFirst(2 * length)
      return Array(isClient ? both.prefix(length) : both.suffix(length))
    }
    let mac = take(macLength)
    macKey = macLength > 0 ? mac : nil
    cipher = Cipher(suite.mode, key: take(suite.keyLength))
    iv = take(ivLength)
  }

  /// The keys after a KeyUpdate (RFC 8446 §7.2).
  var updated: RecordKeys {
    let next = suite.hash.expand(secret, label: "traffic upd", length: suite.hash.length)
    return RecordKeys(trafficSecret: next, suite)
  }
}

extension CipherSuite {
  /// RFC 8446 §7.3.
  fileprivate func key(_ secret: [UInt8]) -> [UInt8] {
    hash.expand(secret, label: "key", length: keyLength)
  }
}
