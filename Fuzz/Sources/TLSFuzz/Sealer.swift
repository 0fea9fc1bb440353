// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras

/// Encrypts the records of one side: RFC 8446 §5.2, or RFC 5246 §6.2.3 with RFC 7366.
struct Sealer {
  private let cipher: Suite.Cipher
  private var key: SymmetricKey
  private var iv: [UInt8]
  private var secret: [UInt8] = []
  private var isLong = false
  private var macKey = SymmetricKey(size: .bits256)
  private var encryptsThenMACs = false
  private var sequence: UInt64 = 0

  private var isTLS13: Bool { !secret.isEmpty }

  init(secret: [UInt8], _ cipher: Suite.Cipher, key length: Int, isLong: Bool) {
    (self.secret, self.cipher, self.isLong) = (secret, cipher, isLong)
    key = SymmetricKey(data: Self.expand(secret, "key", length, isLong))
    iv = Self.expand(secret, "iv", 12, isLong)
  }

  init(
    key: [UInt8], iv: [UInt8], _ cipher: Suite.Cipher, macKey: [UInt8], encryptsThenMACs: Bool
  ) {
    (self.key, self.iv, self.cipher) = (SymmetricKey(data: key), iv, cipher)
    if !macKey.isEmpty { self.macKey = SymmetricKey(data: macKey) }
    self.encryptsThenMACs = encryptsThenMACs
  }

  /// The next keys (RFC 8446 §7.2).
  mutating func update() {
    secret = Self.expand(secret, "traffic upd", secret.count, isLong)
    self = Sealer(secret: secret, cipher, key: key.bitCount / 8, isLong: isLong)
  }

  /// A record.
  ///
  /// - Parameter padding: for TLS 1.3, bytes after the type; for CBC, blocks.
  mutating func seal(_ type: UInt8, _ content: [UInt8], padding: Int = 0) -> [UInt8] {
    defer { sequence += 1 }
    let number = (0..<8).map { UInt8(truncatingIfNeeded: sequence >> UInt64(56 - 8 * $0)) }
    if isTLS13 {
      let inner = content + [type] + [UInt8](repeating: 0, count: padding)
      let header = Self.header(23, inner.count + 16)
      return header + encrypt(inner, number, authenticating: header)
    }
    if cipher == .cbc { return sealCBC(type, content, number, padding: padding) }
    let sealed = encrypt(
      content, number, authenticating: number + Self.header(type, content.count))
    let explicit = cipher == .gcm ? number : []
    return Self.header(type, explicit.count + sealed.count) + explicit + sealed
  }

  private func encrypt(_ content: [UInt8], _ number: [UInt8], authenticating: [UInt8]) -> [UInt8] {
    var nonce = iv
    if iv.count == 4 {
      nonce += number
    } else {
      for place in 0..<8 { nonce[4 + place] ^= number[place] }
    }
    if cipher == .chaChaPoly {
      let box = try! ChaChaPoly.seal(
        content, using: key, nonce: ChaChaPoly.Nonce(data: nonce), authenticating: authenticating)
      return Array(box.ciphertext + box.tag)
    }
    let box = try! AES.GCM.seal(
      content, using: key, nonce: AES.GCM.Nonce(data: nonce), authenticating: authenticating)
    return Array(box.ciphertext + box.tag)
  }

  private func sealCBC(
    _ type: UInt8, _ content: [UInt8], _ number: [UInt8], padding blocks: Int
  ) -> [UInt8] {
    let iv = [UInt8](repeating: 0x1F, count: 16)
    func code(_ octets: [UInt8]) -> [UInt8] {
      Array(
        HMAC<SHA256>.authenticationCode(
          for: number + Self.header(type, octets.count) + octets, using: macKey))
    }
    var plain = content + (encryptsThenMACs ? [] : code(content))
    let padding = 15 - plain.count % 16 + 16 * (blocks % 15)
    plain += [UInt8](repeating: UInt8(padding), count: padding + 1)
    var sealed = try! Array(
      AES._CBC.encrypt(plain, using: key, iv: AES._CBC.IV(ivBytes: iv), noPadding: true))
    sealed = iv + sealed
    if encryptsThenMACs { sealed += code(sealed) }
    return Self.header(type, sealed.count) + sealed
  }

  static func header(_ type: UInt8, _ length: Int) -> [UInt8] {
    [type, 3, 3, UInt8(length >> 8), UInt8(length & 0xFF)]
  }

  /// RFC 8446 §7.1.
  private static func expand(
    _ secret: [UInt8], _ label: String, _ count: Int, _ isLong: Bool
  ) -> [UInt8] {
    let name = Array("tls13 \(label)".utf8)
    let info = [0, UInt8(count), UInt8(name.count)] + name + [0]
    let key =
      isLong
      ? HKDF<SHA384>.expand(pseudoRandomKey: secret, info: info, outputByteCount: count)
      : HKDF<SHA256>.expand(pseudoRandomKey: secret, info: info, outputByteCount: count)
    return key.withUnsafeBytes { Array($0) }
  }
}
