// SPDX-License-Identifier: Apache-2.0
import TapLibraries
import TapTesting

/// One side of TLS 1.3 with TLS_AES_128_GCM_SHA256, written down from RFC 8446 apart from the code
/// that is tested.
struct TLS13Endpoint {
  private var secret: [UInt8]
  private var sequence: UInt64 = 0

  init(_ secret: [UInt8]) { self.secret = secret }

  /// A record (RFC 8446 §5.2).
  mutating func seal(_ type: UInt8, _ content: [UInt8], padding: Int = 0) -> [UInt8] {
    let inner = content + [type] + [UInt8](repeating: 0, count: padding)
    let length = inner.count + 16
    let header: [UInt8] = [23, 3, 3, UInt8(length >> 8), UInt8(length & 0xFF)]
    var nonce = expand("iv", 12)
    for place in 0..<8 { nonce[11 - place] ^= UInt8(truncatingIfNeeded: sequence >> (8 * place)) }
    sequence += 1
    return header
      + Cipher.Mode.gcm.seal(inner, key: expand("key", 16), nonce: nonce, authenticated: header)
  }

  mutating func data(_ text: String) -> [UInt8] { seal(23, Array(text.utf8)) }

  /// A KeyUpdate (RFC 8446 §4.6.3), after which other keys are in use.
  mutating func keyUpdate() -> [UInt8] {
    let record = seal(22, TLS13Endpoint.message(24, [0]))
    secret = expand("traffic upd", 32)
    sequence = 0
    return record
  }

  private func expand(_ label: String, _ count: Int) -> [UInt8] {
    let name = Array("tls13 \(label)".utf8)
    let info = [0, UInt8(count), UInt8(name.count)] + name + [0]
    // HKDF-Expand (RFC 5869 §2.3): one block is enough for all that is asked for here.
    return Array(
      HashFunction.sha256.authenticationCode(for: info + [1], key: secret).prefix(count))
  }

  /// A handshake message.
  static func message(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
    [
      type, UInt8(content.count >> 16), UInt8(content.count >> 8 & 0xFF),
      UInt8(content.count & 0xFF),
    ]
      + content
  }

  /// A record that is not encrypted.
  static func plain(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
    [type, 3, 1, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
  }

  static func vector(_ octets: Int, _ content: [UInt8]) -> [UInt8] {
    let length = (0..<octets).reversed().map { UInt8(content.count >> (8 * $0) & 0xFF) }
    return length + content
  }

  private static func field(_ type: UInt16, _ content: [UInt8]) -> [UInt8] {
    PacketBuilder.big(type) + vector(2, content)
  }

  static func clientHello(_ random: [UInt8], name: String, protocols: [String]) -> [UInt8] {
    let serverName = field(0, vector(2, [0] + vector(2, Array(name.utf8))))
    let alpn = field(16, vector(2, protocols.flatMap { vector(1, Array($0.utf8)) }))
    let fields = serverName + alpn + field(43, vector(1, [3, 4]))
    return message(
      1, [3, 3] + random + [0] + vector(2, [0x13, 0x01]) + [1, 0] + vector(2, fields))
  }

  static func serverHello(suite: UInt16 = 0x1301, version: [UInt8] = [3, 4]) -> [UInt8] {
    let random = [UInt8](repeating: 7, count: 32)
    return message(
      2, [3, 3] + random + [0] + PacketBuilder.big(suite) + [0] + vector(2, field(43, version)))
  }

  static func encryptedExtensions(_ chosen: String) -> [UInt8] {
    message(8, vector(2, field(16, vector(2, vector(1, Array(chosen.utf8))))))
  }

  /// Its content is no matter here.
  static func finished() -> [UInt8] { message(20, [UInt8](repeating: 9, count: 32)) }
}
