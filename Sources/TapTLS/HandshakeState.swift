// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What is known so far from the handshake of a connection.
struct HandshakeState {
  /// Empty before the ClientHello; key logs identify sessions by it.
  var clientRandom: [UInt8] = []
  var serverRandom: [UInt8] = []
  var serverName: [UInt8] = []
  /// Nil before the ServerHello.
  var version: TLSVersion?
  var suiteCode: UInt16 = 0
  /// Nil for a suite that cannot be decrypted.
  var suite: CipherSuite?
  var compresses = false
  var encryptsThenMACs = false
  /// The ALPN protocols that the client offered.
  var offeredProtocols: [[UInt8]] = []
  /// The negotiated ALPN protocol; empty when none, or not known.
  var applicationProtocol: [UInt8] = []
  var offersEarlyData = false
  /// Whether the server accepts early data; nil while not known.
  var acceptsEarlyData: Bool?
  /// The same, where HelloRetryRequest has refused it (RFC 8446 §4.2.10).
  var isEarlyDataAccepted: Bool? { isRetried ? false : acceptsEarlyData }
  /// The server sent a HelloRetryRequest.
  var isRetried = false

  /// When both hellos were complete.
  var settledAt = Instant.unknown

  /// Whether both hellos were seen; nothing can be decrypted before.
  var isSettled: Bool { !clientRandom.isEmpty && version != nil }

  var isTLS13: Bool { version == .tls13 }

  /// A count that grows with every known value that keys depend on.
  var known: Int {
    (clientRandom.isEmpty ? 0 : 1) + (serverRandom.isEmpty ? 0 : 1) + (version == nil ? 0 : 1)
      + (suite == nil ? 0 : 1)
  }

  /// The effect of a message.
  enum Change {
    /// One of the hellos was seen.
    case hello
    /// From here on, the records of a direction use the keys of another stage.
    case enters(Direction, RecordProtection.Stage)
    /// From here on, the sender's records use the next keys of its stage.
    case updatesKeys
    /// Waiting records may be decrypted now.
    case releases
  }

  /// Takes a handshake message.
  ///
  /// - Parameters:
  ///   - direction: the direction of the message.
  ///   - stage: the stage of the keys that decrypted it.
  mutating func take(
    _ message: HandshakeReader.Message, from direction: Direction,
    at stage: RecordProtection.Stage
  ) -> [Change] {
    let isUp = direction == .toServer
    switch message.type {
    case HandshakeReader.Kind.clientHello where isUp:
      guard let hello = ClientHello(message.content) else { return [] }
      take(hello)
      return [.hello]
    case HandshakeReader.Kind.serverHello where !isUp:
      guard let hello = ServerHello(message.content) else { return [] }
      if hello.isRetryRequest {
        isRetried = true
        return [.releases]
      }
      take(hello)
      return isTLS13 ? [.enters(.toClient, .handshake), .hello] : [.hello]
    case HandshakeReader.Kind.encryptedExtensions where !isUp:
      var reader = VectorReader(message.content)
      let extensions = reader.extensions()
      if let chosen = extensions[ExtensionType.applicationLayerProtocolNegotiation] {
        applicationProtocol = VectorReader.protocolNames(chosen).first ?? []
      }
      acceptsEarlyData = extensions[ExtensionType.earlyData] != nil
      return [.releases]
    case HandshakeReader.Kind.endOfEarlyData where isUp && stage == .early:
      return [.enters(.toServer, .handshake)]
    case HandshakeReader.Kind.finished where isTLS13 && stage != .application:
      return isUp
        ? [.enters(direction, .application)] : [.enters(direction, .application), .releases]
    case HandshakeReader.Kind.keyUpdate where isTLS13 && stage == .application:
      return [.updatesKeys]
    default: return []
    }
  }

  private mutating func take(_ hello: ClientHello) {
    clientRandom = hello.random
    (serverName, offeredProtocols) = (hello.serverName, hello.protocols)
    offersEarlyData = hello.offersEarlyData
  }

  private mutating func take(_ hello: ServerHello) {
    (serverRandom, version, suiteCode) = (hello.random, hello.version, hello.suite)
    suite = CipherSuite(hello.suite)
    (compresses, encryptsThenMACs) = (hello.compresses, hello.encryptsThenMACs)
    applicationProtocol = hello.applicationProtocol
  }

  /// Concludes values that are missing from the hellos from the keys that decrypted a record.
  mutating func assume(_ candidate: RecordSearch.Candidate) {
    if version == nil { version = candidate.keys.isTLS13 ? .tls13 : .tls12 }
    if suite == nil { suite = candidate.keys.suite }
    if clientRandom.isEmpty { clientRandom = candidate.random }
  }

  /// Why the connection cannot be decrypted with any secrets; nil when it can.
  var obstacle: String? {
    guard let version else { return nil }
    if version != .tls12 && version != .tls13 { return "\(version.name) is not decrypted" }
    guard let suite else { return "the cipher suite \(suiteNumber) is not decrypted" }
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

  /// The same for the machine output.
  var security: Opening.Security {
    Opening.Security(
      version: version?.name ?? "TLS",
      cipherSuite: suite?.name ?? (suiteCode == 0 ? "" : suiteNumber),
      serverName: serverName, applicationProtocol: applicationProtocol)
  }

  /// The number of an unnamed cipher suite: `0x00c0`.
  private var suiteNumber: String {
    let digits = String(suiteCode, radix: 16)
    return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  private static func text(_ octets: [UInt8]) -> String {
    String(decoding: octets, as: Unicode.UTF8.self)
  }
}
