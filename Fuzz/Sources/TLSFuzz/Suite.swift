// SPDX-License-Identifier: Apache-2.0
import Crypto
import TapTraffic

/// A session with known secrets: its hellos, and the keys of each side, derived independently of
/// the tested code.
struct Suite {
  enum Cipher { case gcm, chaChaPoly, cbc }

  static let random = [UInt8](repeating: 0xC1, count: 32)
  static let serverRandom = [UInt8](repeating: 7, count: 32)

  static let all = [
    Suite(0x1301, .gcm, key: 16), Suite(0x1302, .gcm, key: 32, isLong: true),
    Suite(0x1303, .chaChaPoly, key: 32), Suite(0xC02F, .gcm, key: 16),
    Suite(0xCCA8, .chaChaPoly, key: 32), Suite(0xC027, .cbc, key: 16),
    Suite(0xC027, .cbc, key: 16, encryptsThenMACs: true),
  ]

  let code: UInt16
  let cipher: Cipher
  let keyLength: Int
  /// SHA-384 in place of SHA-256.
  let isLong: Bool
  let encryptsThenMACs: Bool
  /// For the client and the server, during the handshake and after it.
  let handshake: [Sealer]
  let traffic: [Sealer]

  var isTLS13: Bool { code >> 8 == 0x13 }

  private init(
    _ code: UInt16, _ cipher: Cipher, key: Int, isLong: Bool = false,
    encryptsThenMACs: Bool = false
  ) {
    (self.code, self.cipher, keyLength) = (code, cipher, key)
    (self.isLong, self.encryptsThenMACs) = (isLong, encryptsThenMACs)
    if code >> 8 == 0x13 {
      func sealer(_ label: TLSSecrets.Label) -> Sealer {
        Sealer(secret: Self.secret(label, isLong), cipher, key: key, isLong: isLong)
      }
      handshake = [sealer(.clientHandshake), sealer(.serverHandshake)]
      traffic = [sealer(.clientTraffic), sealer(.serverTraffic)]
      return
    }
    // RFC 5246 §6.3.
    let mac = cipher == .cbc ? 32 : 0
    let iv = cipher == .gcm ? 4 : cipher == .chaChaPoly ? 12 : 0
    let block = Self.pseudorandom(
      Self.secret(.clientRandom, false), Array("key expansion".utf8) + serverRandomAndClients,
      2 * (mac + key + iv))
    func part(_ start: Int, _ length: Int, _ side: Int) -> [UInt8] {
      Array(block[(start + side * length)...].prefix(length))
    }
    traffic = [0, 1].map { side in
      Sealer(
        key: part(2 * mac, key, side), iv: part(2 * (mac + key), iv, side), cipher,
        macKey: part(0, mac, side), encryptsThenMACs: encryptsThenMACs)
    }
    handshake = traffic
  }

  func report(_ secrets: TLSSecrets) {
    secrets.noteSource()
    for label in TLSSecrets.Label.allCases where (label == .clientRandom) != isTLS13 {
      secrets.add(Self.secret(label, isLong), label, Self.random)
    }
  }

  private static func secret(_ label: TLSSecrets.Label, _ isLong: Bool) -> [UInt8] {
    let octet = UInt8(0x40 + TLSSecrets.Label.allCases.firstIndex(of: label)!)
    return [UInt8](repeating: octet, count: isLong || label == .clientRandom ? 48 : 32)
  }

  /// RFC 5246 §5.
  private static func pseudorandom(_ secret: [UInt8], _ seed: [UInt8], _ count: Int) -> [UInt8] {
    let key = SymmetricKey(data: secret)
    func code(_ octets: [UInt8]) -> [UInt8] {
      Array(HMAC<SHA256>.authenticationCode(for: octets, using: key))
    }
    var (octets, a) = ([UInt8](), seed)
    while octets.count < count {
      a = code(a)
      octets += code(a + seed)
    }
    return Array(octets.prefix(count))
  }

  var clientHello: [UInt8] {
    let versions: [UInt8] = isTLS13 ? [0, 43, 0, 3, 2, 3, 4] : []
    let fields = versions + (encryptsThenMACs ? [0, 22, 0, 0] : [])
    let body = [3, 3] + Self.random + [0, 0, 2] + codeOctets + [1, 0, 0, UInt8(fields.count)]
    return Self.message(1, body + fields)
  }

  var serverHello: [UInt8] {
    let versions: [UInt8] = isTLS13 ? [0, 43, 0, 2, 3, 4] : []
    let fields = versions + (encryptsThenMACs ? [0, 22, 0, 0] : [])
    return Self.message(
      2, [3, 3] + Self.serverRandom + [0] + codeOctets + [0, 0, UInt8(fields.count)] + fields)
  }

  private var codeOctets: [UInt8] { [UInt8(code >> 8), UInt8(code & 0xFF)] }

  static func message(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
    [type, 0, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
  }
}

private let serverRandomAndClients = Suite.serverRandom + Suite.random
