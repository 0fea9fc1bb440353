// SPDX-License-Identifier: Apache-2.0
import TapLibraries

/// The keys of one direction, until they are changed. A class, as every record asks for them.
final class RecordKeys {
  let suite: CipherSuite
  /// Nil without libcrypto, for which the maker of keys asks first.
  let cipher: Cipher?
  /// All 12 bytes of the nonce before the sequence number is put in, or the 4 of TLS 1.2 that the
  /// record does not carry (RFC 5288 §3); empty with CBC.
  let iv: [UInt8]
  /// Of suites with CBC.
  let macKey: [UInt8]?
  /// RFC 7366.
  let encryptsThenMACs: Bool
  let isTLS13: Bool
  /// What the next keys are made of (RFC 8446 §7.2).
  private let secret: [UInt8]

  /// The keys that a traffic secret of TLS 1.3 gives (RFC 8446 §7.3).
  init(trafficSecret secret: [UInt8], _ suite: CipherSuite) {
    (self.suite, self.secret, isTLS13) = (suite, secret, true)
    (macKey, encryptsThenMACs) = (nil, false)
    cipher = Cipher(
      suite.mode, key: suite.hash.expand(secret, label: "key", length: suite.keyLength))
    iv = suite.hash.expand(secret, label: "iv", length: 12)
  }

  /// The keys that the master secret of TLS 1.2 gives (RFC 5246 §6.3).
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
    // Of each kind first what the client writes with, then the server.
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
