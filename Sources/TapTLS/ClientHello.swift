// SPDX-License-Identifier: Apache-2.0

/// What a ClientHello asks for, as far as an observer needs it (RFC 8446 §4.1.2).
struct ClientHello {
  var random: [UInt8]
  /// The name of the server that is wanted (RFC 6066 §3); empty when none was sent.
  var serverName: [UInt8] = []
  /// The protocols that are offered (RFC 7301).
  var protocols: [[UInt8]] = []
  /// Data follows at once (RFC 8446 §4.2.10).
  var offersEarlyData = false

  /// - Parameter content: the message without its header. Answers nil when it is cut.
  init?(_ content: [UInt8]) {
    var reader = VectorReader(content)
    guard reader.number(2) != nil, let random = reader.take(32), reader.vector(1) != nil,
      reader.vector(2) != nil, reader.vector(1) != nil
    else { return nil }
    self.random = random
    let extensions = reader.extensions()
    if let names = extensions[ExtensionType.serverName] {
      var outer = VectorReader(names)
      var list = VectorReader(outer.vector(2) ?? [])
      // A list with one entry, the name of a host.
      if list.number(1) == 0, let name = list.vector(2) { serverName = name }
    }
    if let offered = extensions[ExtensionType.applicationLayerProtocolNegotiation] {
      protocols = VectorReader.protocolNames(offered)
    }
    offersEarlyData = extensions[ExtensionType.earlyData] != nil
  }
}
