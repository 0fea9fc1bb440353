// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What the handshake of a connection has said so far.
struct Session {
  /// Empty until the ClientHello was seen; key logs name sessions by it.
  var clientRandom: [UInt8] = []
  var serverRandom: [UInt8] = []
  var serverName: [UInt8] = []
  /// Nil until the ServerHello was seen.
  var version: TLSVersion?
  var suiteCode: UInt16 = 0
  /// Nil for one that cannot be opened.
  var suite: CipherSuite?
  var compresses = false
  var encryptsThenMACs = false
  /// What the client offered to speak above TLS.
  var offeredProtocols: [[UInt8]] = []
  /// What was agreed on; empty when it is not known, or nothing was.
  var applicationProtocol: [UInt8] = []
  var offersEarlyData = false
  /// What the server said of early data; nil while it has said nothing.
  var acceptsEarlyData: Bool?
  /// The server asked for another ClientHello.
  var isRetried = false

  /// Whether both hellos were seen: nothing can be opened before.
  var isSettled: Bool { !clientRandom.isEmpty && version != nil }

  var isTLS13: Bool { version == .tls13 }

  /// Grows with what is known of it that keys depend on.
  var known: Int {
    (clientRandom.isEmpty ? 0 : 1) + (serverRandom.isEmpty ? 0 : 1) + (version == nil ? 0 : 1)
      + (suite == nil ? 0 : 1)
  }

  mutating func take(_ hello: ClientHello) {
    clientRandom = hello.random
    (serverName, offeredProtocols) = (hello.serverName, hello.protocols)
    offersEarlyData = hello.offersEarlyData
  }

  mutating func take(_ hello: ServerHello) {
    (serverRandom, version, suiteCode) = (hello.random, hello.version, hello.suite)
    suite = CipherSuite(hello.suite)
    (compresses, encryptsThenMACs) = (hello.compresses, hello.encryptsThenMACs)
    applicationProtocol = hello.applicationProtocol
  }

  /// Why nothing of it can be opened, whatever secrets there are; nil when something can.
  var obstacle: String? {
    guard let version else { return nil }
    if version != .tls12 && version != .tls13 { return "\(version.name) is not decrypted" }
    guard let suite else {
      return "the cipher suite 0x\(String(suiteCode, radix: 16)) is not decrypted"
    }
    if suite.isTLS13 != isTLS13 { return "\(suite.name) is no cipher suite of \(version.name)" }
    return compresses ? "compression of TLS records is not read" : nil
  }

  /// `TLS 1.3 to chat.example (TLS_AES_128_GCM_SHA256, ALPN h2)`, as far as that is known.
  var words: String {
    var words = version?.name ?? "TLS"
    if !serverName.isEmpty { words += " to \(Self.text(serverName))" }
    var details: [String] = []
    if let suite { details.append(suite.name) }
    if !applicationProtocol.isEmpty {
      details.append("ALPN \(Self.text(applicationProtocol))")
    } else if !offeredProtocols.isEmpty {
      details.append("offered ALPN \(offeredProtocols.map(Self.text).joined(separator: ", "))")
    }
    if !details.isEmpty { words += " (\(details.joined(separator: ", ")))" }
    return words
  }

  /// The same for machines.
  var security: Opening.Security {
    Opening.Security(
      version: version?.name ?? "TLS",
      cipherSuite: suite?.name ?? (suiteCode == 0 ? "" : "0x\(String(suiteCode, radix: 16))"),
      serverName: serverName, applicationProtocol: applicationProtocol)
  }

  private static func text(_ octets: [UInt8]) -> String {
    String(decoding: octets, as: Unicode.UTF8.self)
  }
}
