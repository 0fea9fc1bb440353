// SPDX-License-Identifier: Apache-2.0

/// The parts of a ClientHello that an observer needs (RFC 8446 §4.1.2).
struct ClientHello {
  var random: [UInt8]
  /// The requested server name (RFC 6066 §3); empty when none was sent.
  var serverName: [UInt8] = []
  /// The offered ALPN protocols (RFC 7301).
  var protocols: [[UInt8]] = []
  /// It offers early data (RFC 8446 §4.2.10).
  var offersEarlyData = false

  /// - Parameter content: the message without its header. Nil when it is truncated.
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
      // The first entry, if it is a host name.
      if list.number(1) == 0, let name = list.vector(2) { serverName = name }
    }
    if let offered = extensions[ExtensionType.applicationLayerProtocolNegotiation] {
      protocols = VectorReader.protocolNames(offered)
    }
    offersEarlyData = extensions[ExtensionType.earlyData] != nil
  }
}
