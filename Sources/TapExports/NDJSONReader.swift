// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// What of a line of our NDJSON has a meaning.
struct NDJSONReader: JSONForm {
  enum Node {
    case line, other
    case event, state, connection, index, time, direction, dialect, name, ids, body, raw
    case unknownBytes, inferred, inferredKey
    case client, server, url, subprotocol, extensions, extensionName, carrier, writer, oneEnd
    case maximum, mostToClient, mostToServer
    case by, code, severity, reason, reset, lost, lostBytes, lostMessages, mark
    case transport, security, version, cipherSuite, serverName, applicationProtocol
  }

  static var root: Node { .line }
  static var other: Node { .other }

  private(set) var line = NDJSONLine()
  private let limits: Limits

  init(_ limits: Limits) { self.limits = limits }

  /// Takes out what was read, for the next line.
  mutating func take() -> NDJSONLine {
    var taken = NDJSONLine()
    swap(&taken, &line)
    return taken
  }

  static let members: [(holder: Node, name: StaticString, member: Node)] = [
    (.line, "event", .event), (.line, "state", .state), (.line, "connection", .connection),
    (.line, "index", .index), (.line, "time", .time), (.line, "direction", .direction),
    (.line, "protocol", .dialect), (.line, "name", .name), (.line, "body", .body),
    (.line, "ids", .ids), (.line, "raw", .raw), (.line, "unknownBytes", .unknownBytes),
    (.line, "inferred", .inferred), (.line, "client", .client), (.line, "server", .server),
    (.line, "url", .url), (.line, "subprotocol", .subprotocol),
    (.line, "extensions", .extensions), (.line, "carrier", .carrier), (.line, "writer", .writer),
    (.line, "oneEnd", .oneEnd),
    (.line, "maximum", .maximum), (.maximum, "client", .mostToClient),
    (.maximum, "server", .mostToServer), (.line, "by", .by), (.line, "code", .code),
    (.line, "severity", .severity),
    (.line, "reason", .reason), (.line, "reset", .reset), (.line, "lost", .lost),
    (.line, "transport", .transport), (.line, "tls", .security),
    (.security, "version", .version), (.security, "cipherSuite", .cipherSuite),
    (.security, "serverName", .serverName), (.security, "alpn", .applicationProtocol),
    (.lost, "bytes", .lostBytes), (.lost, "messages", .lostMessages),
  ]

  static func element(of node: Node) -> Node {
    node == .extensions ? .extensionName : node == .inferred ? .inferredKey : .other
  }

  // With its escapes, a text is longer than what was sent.
  func most(of node: Node) -> Int { isKept(node) ? limits.messageBytes * 2 : limits.headBytes }

  func isKept(_ node: Node) -> Bool { node == .body || node == .raw || node == .ids }

  mutating func scalar(_ bytes: RawSpan, _ value: JSONScalar, _ node: Node, _: any EvidenceSink) {
    switch node {
    case .event: line.event = Self.event(bytes)
    case .state: line.state = bytes.copied()
    case .connection: line.connection = value.integer(bytes)
    case .index: line.index = value.integer(bytes).map { max($0, 0) }
    case .time: line.time = value.isString ? ExportTime(rfc3339: bytes) : nil
    case .direction:
      line.direction =
        bytes.equals("toServer") ? .toServer : bytes.equals("toClient") ? .toClient : .unknown
    case .dialect: line.dialect = bytes.copied()
    case .name: line.name = bytes.copied()
    case .body: keep(bytes, value, \.body)
    case .raw: keep(bytes, value, \.raw)
    case .ids: keep(bytes, value, \.ids)
    case .unknownBytes: line.isDotted = bytes.equals("nonASCII")
    case .inferredKey: if bytes.equals("direction") { line.isDirectionInferred = true }
    case .client: line.client = value.text(bytes) ?? []
    case .server: line.server = value.text(bytes) ?? []
    case .url: line.url = value.text(bytes) ?? []
    case .subprotocol: line.subprotocol = value.text(bytes) ?? []
    case .writer: line.writer = value.text(bytes) ?? []
    case .oneEnd: line.isOfOneEnd = value.isTrue(bytes)
    case .extensionName:
      if line.extensions.count < 64 { line.extensions.append(bytes.copied()) }
    case .carrier: line.isRawSocket = bytes.equals("rawsocket")
    case .mostToClient: most.toClient = value.integer(bytes).map { Int(clamping: max($0, 0)) }
    case .mostToServer: most.toServer = value.integer(bytes).map { Int(clamping: max($0, 0)) }
    case .by:
      line.by =
        bytes.equals("client") ? .toServer : bytes.equals("server") ? .toClient : .unknown
    case .code: line.code = bytes.copied()
    case .severity: line.severity = bytes.copied()
    case .reason: line.reason = value.text(bytes) ?? []
    case .reset: line.isReset = value.isTrue(bytes)
    case .transport: line.transport = bytes.copied()
    case .version: security.version = Self.string(bytes, value)
    case .cipherSuite: security.cipherSuite = Self.string(bytes, value)
    case .serverName: security.serverName = value.text(bytes) ?? []
    case .applicationProtocol: security.applicationProtocol = value.text(bytes) ?? []
    case .lostBytes: line.lostBytes = UInt64(clamping: value.integer(bytes) ?? 0)
    case .lostMessages: line.lostMessages = UInt64(clamping: value.integer(bytes) ?? 0)
    default: break
    }
  }

  private var most: Opening.MostOctets {
    get { line.mostOctets ?? Opening.MostOctets(toServer: nil, toClient: nil) }
    set { line.mostOctets = newValue }
  }

  private var security: Opening.Security {
    get {
      line.security
        ?? Opening.Security(version: "", cipherSuite: "", serverName: [], applicationProtocol: [])
    }
    set { line.security = newValue }
  }

  private static func string(_ bytes: RawSpan, _ value: JSONScalar) -> String {
    value.text(bytes).map { String(decoding: $0, as: Unicode.UTF8.self) } ?? ""
  }

  private mutating func keep(
    _ bytes: RawSpan, _ value: JSONScalar, _ part: WritableKeyPath<NDJSONLine, Scratch>
  ) {
    if !value.isWhole(bytes) { line.isTooLarge = true }
    if bytes.equals("null") { return }
    line[keyPath: part].removeAll()
    line[keyPath: part].append(bytes)
  }

  private static func event(_ name: RawSpan) -> NDJSONLine.Event? {
    if name.equals("message") { return .message }
    if name.equals("connection") { return .connection }
    if name.equals("finding") { return .finding }
    return name.equals("summary") ? .summary : nil
  }
}
