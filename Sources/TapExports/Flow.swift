// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// What is read of one flow of mitmproxy until it ends.
struct Flow {
  /// Where it begins.
  let offset: UInt64
  /// The number of its conversation; 0 while it has shown no messages.
  var number: UInt32 = 0
  var isOpen = false
  var hasWebSocket = false
  /// It has bytes of a TCP stream, not messages; or datagrams of UDP.
  var isStream = false
  private(set) var isUDP = false
  /// Pieces of the stream, or datagrams.
  private(set) var pieces = 0
  var heads = ExportedHeads()
  /// The header field that is read.
  var field: (name: [UInt8], value: [UInt8]) = ([], [])
  private var body = (request: ExportedBody(), response: ExportedBody())
  private var times = ExportedExchange.Times()
  private(set) var created: ExportTime?
  private(set) var ended: ExportTime?
  private(set) var id: [UInt8] = []
  /// The flow that has the handshake of this one, which mitmproxy before 7 keeps apart.
  private(set) var handshakeID: [UInt8] = []
  private(set) var error: String?
  private(set) var errorTime: ExportTime?
  private var scheme: [UInt8] = []
  private var host: [UInt8] = []
  private var port: Int64?
  private var client: (host: [UInt8], port: Int64) = ([], 0)
  private var server: (host: [UInt8], port: Int64) = ([], 0)
  private var subprotocol: [UInt8] = []
  private var closeCode: UInt16?
  private var closeReason: [UInt8] = []
  private var isClosedByClient: Bool?
  private var streamed: (up: UInt64, down: UInt64) = (0, 0)

  init(offset: UInt64 = 0) { self.offset = offset }

  mutating func take(_ bytes: RawSpan, _ value: NetStringScalar, _ node: FlowReader.Node) {
    switch node {
    case .type: isUDP = bytes.equals("udp")
    case .created: created = value.time(bytes)
    case .endTime: ended = value.time(bytes) ?? ended
    case .errorText:
      error = value.text(bytes).map { String(decoding: $0.prefix(400), as: Unicode.UTF8.self) }
    case .errorTime: errorTime = value.time(bytes)
    case .method: heads.method = value.text(bytes) ?? []
    case .scheme: scheme = value.text(bytes) ?? []
    case .host: host = value.text(bytes) ?? []
    case .port: port = value.integer(bytes)
    case .asked: times.asked = value.time(bytes)
    case .began: times.began = value.time(bytes)
    case .answered: times.answered = value.time(bytes)
    case .requestContent where value.tag == .comma:
      body.request.take(bytes, isWhole: value.isWhole(bytes))
    case .responseContent where value.tag == .comma:
      body.response.take(bytes, isWhole: value.isWhole(bytes))
    case .path: heads.target = value.text(bytes) ?? []
    case .requestName, .responseName: field.name = value.text(bytes) ?? []
    case .requestValue, .responseValue: field.value = value.text(bytes) ?? []
    case .status: heads.status = value.integer(bytes).map { Array("\($0)".utf8) } ?? []
    case .reason: heads.reason = value.text(bytes) ?? []
    case .clientHost: client.host = value.text(bytes) ?? []
    case .clientPort: client.port = value.integer(bytes) ?? 0
    case .serverHost: server.host = value.text(bytes) ?? []
    case .serverPort: server.port = value.integer(bytes) ?? 0
    case .serverProtocol: subprotocol = value.text(bytes) ?? []
    case .closeCode: closeCode = value.integer(bytes).flatMap { UInt16(exactly: $0) }
    case .closeReason: closeReason = value.text(bytes) ?? []
    case .closeSender:
      isClosedByClient = value.text(bytes).map { $0.elementsEqual("client".utf8) }
    case .id: id = value.text(bytes) ?? []
    case .handshakeID: handshakeID = value.text(bytes) ?? []
    case .closedByClient: isClosedByClient = value.truth(bytes)
    default: break
    }
  }

  /// Whether it is a handshake whose messages are in a flow of their own.
  var isHandshake: Bool { number == 0 && !id.isEmpty && heads.isAccepted }

  /// What was asked for and answered in the flow of the handshake.
  mutating func take(handshake: Flow) {
    (heads, scheme) = (handshake.heads, handshake.scheme)
    (host, port) = (handshake.host, handshake.port)
  }

  /// So many bytes more of a stream; answers how many there were before.
  mutating func streamed(_ direction: Direction, _ count: Int) -> UInt64 {
    pieces += 1
    if direction == .toServer {
      defer { streamed.up += UInt64(count) }
      return streamed.up
    }
    defer { streamed.down += UInt64(count) }
    return streamed.down
  }

  private var url: [UInt8] {
    let isWebSocket = number > 0 || hasWebSocket || heads.isAccepted || heads.asksForWebSocket
    return url(isWebSocket ? "ws" : "http")
  }

  /// - Parameter plain: the scheme, if it is not encrypted.
  private func url(_ plain: String) -> [UInt8] {
    if host.isEmpty { return [] }
    let isSecure = scheme.elementsEqual("https".utf8) || scheme.elementsEqual("wss".utf8)
    var url = Array((isSecure ? "\(plain)s://" : "\(plain)://").utf8)
    // A transparent proxy knows the address alone; the client, which name it meant.
    if Endpoint.address(String(decoding: host, as: Unicode.UTF8.self)) != nil,
      !heads.host.isEmpty
    {
      return url + heads.host + heads.target
    }
    url += host.contains(.colon) ? [.openBracket] + host + [.closeBracket] : host
    if let port, port != (isSecure ? 443 : 80) { url += Array(":\(port)".utf8) }
    return url + heads.target
  }

  /// What was asked and answered, if it may carry messages; nil if not.
  var exchange: ExportedExchange? {
    let heads = exchangeHeads
    guard number == 0, heads.mayCarryMessages, !heads.asksForInfo || body.response.isWhole else {
      return nil
    }
    var times = times
    times.asked = times.asked ?? created
    return ExportedExchange(
      heads, client: Self.endpoint(client), server: Self.endpoint(server), body, isCoded: true,
      times, offset: offset)
  }

  /// Whether it is known by now that its bodies have no messages.
  var hasOtherBodies: Bool {
    !heads.method.isEmpty && !heads.target.isEmpty && !exchangeHeads.mayCarryMessages
  }

  private var exchangeHeads: ExportedHeads {
    var known = heads
    known.url = url("http")
    return known
  }

  /// For people.
  var name: String {
    url.isEmpty
      ? "a connection"
      : String(decoding: url.prefix { $0 != UInt8(ascii: "?") }, as: Unicode.UTF8.self)
  }

  var opening: Opening {
    // The handshake of old versions is in another flow, but what was chosen is in this one.
    let isWhole = isStream || heads.isAccepted || !subprotocol.isEmpty
    var opening = Opening(
      isStream ? .stream : .webSocket, client: Self.endpoint(client),
      server: Self.endpoint(server), isFromStart: isWhole)
    opening.provenance.isOfOneEnd = true
    if isStream { return opening }
    opening.url = url
    opening.subprotocol = subprotocol
    (opening.request, opening.response) = (heads.request, heads.response)
    opening.provenance.isWrittenWhole = isWhole
    return opening
  }

  private static func endpoint(_ peer: (host: [UInt8], port: Int64)) -> Endpoint {
    guard let address = Endpoint.address(String(decoding: peer.host, as: Unicode.UTF8.self)),
      let port = UInt16(exactly: peer.port)
    else { return .unknown }
    return Endpoint(address: address, port: port)
  }

  /// How it ended; nil while it was open when it was saved.
  var closing: Closing? {
    if ended == nil && closeCode == nil { return nil }
    var closing = Closing()
    if let isClosedByClient { closing.by = isClosedByClient ? .toServer : .toClient }
    return closing
  }

  /// The CLOSE frame that the proxy saw: 1005 stands for one without a code, 1006 for none
  /// (RFC 6455 §7.4.1).
  var closePayload: [UInt8]? {
    guard let closeCode, closeCode != 1006 else { return nil }
    if closeCode == 1005 { return [] }
    return [UInt8(closeCode >> 8), UInt8(closeCode & 0xFF)] + closeReason
  }
}
