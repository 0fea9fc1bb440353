// SPDX-License-Identifier: Apache-2.0
import TapLibraries
import TapTesting
import Testing

@Suite struct CipherTests {
  private static let modes: [Cipher.Mode] = [.gcm, .chaChaPoly, .ccm(tag: 16), .ccm(tag: 8)]
  private static let key = Array<UInt8>(0..<32)

  private func open(
    _ cipher: Cipher, _ sealed: [UInt8], _ nonce: [UInt8], _ authenticated: [UInt8]
  ) -> [UInt8]? {
    var plain = [UInt8](repeating: 0, count: sealed.count + 1)
    let isOpen = plain.withUnsafeMutableBytes { room in
      sealed.withUnsafeBytes { sealed in
        nonce.withUnsafeBytes { nonce in
          authenticated.withUnsafeBytes {
            cipher.open(sealed, nonce: nonce, $0, into: room.baseAddress!)
          }
        }
      }
    }
    return isOpen ? Array(plain.prefix(sealed.count - cipher.tagLength)) : nil
  }

  /// One cipher opens records one after another, whatever the one before was.
  @Test(arguments: modes, [16, 32]) func records(_ mode: Cipher.Mode, keyLength: Int) throws {
    if mode == .chaChaPoly && keyLength == 16 { return }
    let key = Array(Self.key.prefix(keyLength))
    let cipher = try #require(Cipher(mode, key: key))
    for size in [0, 1, 16, 100, 16384] {
      let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let nonce = (0..<12).map { UInt8(truncatingIfNeeded: $0 + size) }
      let sealed = mode.seal(content, key: key, nonce: nonce, authenticated: [1, 2, 3])
      #expect(sealed.count == size + cipher.tagLength)
      #expect(open(cipher, sealed, nonce, [1, 2, 3]) == content)
      #expect(open(cipher, sealed, nonce, [1, 2, 4]) == nil)
      #expect(open(cipher, sealed, nonce.map { $0 ^ 1 }, [1, 2, 3]) == nil)
      var changed = sealed
      changed[changed.count / 2] ^= 0x10
      #expect(open(cipher, changed, nonce, [1, 2, 3]) == nil)
      #expect(open(cipher, Array(sealed.prefix(cipher.tagLength - 1)), nonce, []) == nil)
      #expect(open(cipher, sealed, nonce, [1, 2, 3]) == content)
    }
  }

  /// Each byte of a record can be had alone.
  @Test(arguments: modes, [16, 32]) func stream(_ mode: Cipher.Mode, keyLength: Int) throws {
    if mode == .chaChaPoly && keyLength == 16 { return }
    let key = Array(Self.key.prefix(keyLength))
    let stream = try #require(KeyStream(mode, key: key))
    let content = (0..<16384).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let nonce = Array<UInt8>(0x70..<0x7C)
    let sealed = mode.seal(content, key: key, nonce: nonce, authenticated: [1])
    for at in Array(0...130) + [1000, 4095, 4096, 16383] {
      let byte = nonce.withUnsafeBytes { stream.byte(at: at, nonce: $0) }
      #expect(byte == content[at] ^ sealed[at], "\(at)")
    }
    #expect(KeyStream(.cbc, key: key) == nil)
  }

  /// Test case 4 of "The Galois/Counter Mode of Operation" without its last bytes, by NIST.
  @Test func vectorOfGCM() throws {
    let cipher = try #require(Cipher(.gcm, key: [UInt8](repeating: 0, count: 16)))
    // Test case 2: a block of zeros under a key of zeros.
    let sealed = hex("0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf")
    let plain = open(cipher, sealed, [UInt8](repeating: 0, count: 12), [])
    #expect(plain == [UInt8](repeating: 0, count: 16))
  }

  /// RFC 3610 §8 has other lengths of nonces; this one is NIST SP 800-38C example 3.
  @Test func vectorOfCCM() throws {
    let cipher = try #require(Cipher(.ccm(tag: 8), key: Array(0x40...0x4F)))
    let content = Array<UInt8>(0x20...0x37)
    let sealed = hex("e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5484392fbc1b09951")
    #expect(open(cipher, sealed, Array(0x10...0x1B), Array(0...0x13)) == content)
  }

  /// NIST SP 800-38A §F.2.1.
  @Test func vectorOfCBC() throws {
    let cipher = try #require(Cipher(.cbc, key: hex("2b7e151628aed2a6abf7158809cf4f3c")))
    let plain = hex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51")
    let sealed = hex("7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2")
    for _ in 0..<2 { #expect(cipher.decrypt(Array(0...15) + sealed) == plain) }
    #expect(cipher.decrypt(Array(sealed.prefix(17))) == nil)
    #expect(cipher.decrypt(sealed.prefix(16) + []) == nil)
  }

  /// RFC 4231 §4.3, RFC 2202 §3.
  @Test func codes() {
    let content = Array("what do ya want for nothing?".utf8)
    let codes: [(HashFunction, String)] = [
      (.sha1, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
      (.sha256, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
      (
        .sha384,
        "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47"
          + "e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649"
      ),
    ]
    for (hash, code) in codes {
      #expect(hash.authenticationCode(for: content, key: Array("Jefe".utf8)) == hex(code))
      #expect(hash.length * 2 == code.count)
    }
  }

  /// RFC 8032 §7.1, TEST 3.
  @Test func signature() {
    let key = hex("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025")
    var signature = hex(
      "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a")
    #expect(Libcrypto.isSigned([0xAF, 0x82], signature, key: key) == true)
    #expect(Libcrypto.isSigned([0xAF, 0x83], signature, key: key) == false)
    signature[3] ^= 1
    #expect(Libcrypto.isSigned([0xAF, 0x82], signature, key: key) == false)
  }
}

private func hex(_ digits: String) -> [UInt8] {
  let digits = Array(digits)
  return stride(from: 0, to: digits.count, by: 2).map {
    UInt8(String(digits[$0...$0 + 1]), radix: 16)!
  }
}
