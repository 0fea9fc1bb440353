// SPDX-License-Identifier: Apache-2.0

/// The values that a ServerHello determines (RFC 8446 §4.1.3, RFC 5246 §7.4.1.3).
struct ServerHello {
  /// RFC 8446 §4.1.3: a ServerHello with this random is a HelloRetryRequest.
  private static let retryRandom: [UInt8] = [
    0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11, 0xBE, 0x1D, 0x8C, 0x02, 0x1E, 0x65, 0xB8, 0x91,
    0xC2, 0xA2, 0x11, 0x16, 0x7A, 0xBB, 0x8C, 0x5E, 0x07, 0x9E, 0x09, 0xE2, 0xC8, 0xA8, 0x33, 0x9C,
  ]

  var random: [UInt8]
  var version: TLSVersion
  var suite: UInt16
  /// For TLS 1.2; in TLS 1.3 it is encrypted.
  var applicationProtocol: [UInt8] = []
  var encryptsThenMACs = false
  /// Records are compressed, which TLS 1.2 allows (RFC 3749).
  var compresses: Bool

  var isRetryRequest: Bool { random == Self.retryRandom }

  /// - Parameter content: the message without its header. Nil when it is truncated.
  init?(_ content: [UInt8]) {
    var reader = VectorReader(content)
    guard let legacy = reader.number(2), let random = reader.take(32), reader.vector(1) != nil,
      let suite = reader.number(2), let compression = reader.number(1)
    else { return nil }
    (self.random, self.suite) = (random, UInt16(suite))
    version = TLSVersion(number: UInt16(legacy))
    compresses = compression != 0
    let extensions = reader.extensions()
    if let chosen = extensions[ExtensionType.supportedVersions], chosen.count == 2 {
      version = TLSVersion(number: UInt16(chosen[0]) << 8 | UInt16(chosen[1]))
    }
    if let chosen = extensions[ExtensionType.applicationLayerProtocolNegotiation] {
      applicationProtocol = VectorReader.protocolNames(chosen).first ?? []
    }
    encryptsThenMACs = extensions[ExtensionType.encryptThenMAC] != nil
  }
}
