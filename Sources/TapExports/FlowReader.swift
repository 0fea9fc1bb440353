// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// What of a flow of mitmproxy has a meaning: the handshake, the messages of WebSocket or the bytes
/// of a TCP stream, and who spoke. mitmproxy 7 and later keep messages in the flow of the
/// handshake, earlier ones in a flow of their own.
struct FlowReader: ExportForm {
  enum Node {
    case flow, other, type, error, errorText, errorTime, created
    case webSocket, messages, message, sender, second, content, time, dropped, injected
    case closeCode, closeReason, closedByClient, endTime
    case request, method, scheme, host, port, path, requestFields, requestField
    case requestName, requestValue, requestContent, asked
    case response, status, reason, responseFields, responseField, responseName, responseValue
    case responseContent, began, answered
    case client, clientAddress, clientHost, clientPort
    case server, serverAddress, serverHost, serverPort
    case closeSender, serverProtocol, id, metadata, handshakeID
  }

  static var root: Node { .flow }
  static var other: Node { .other }

  private let place: Place
  private let limits: Limits
  private var queue: ExportQueue
  private var flow = Flow()
  private var message = FlowMessage()
  private var records: UInt64 = 0
  /// Handshakes whose messages have not come yet, by the ids of their flows.
  private var handshakes: [[UInt8]: Flow] = [:]

  init(_ place: Place, _ limits: Limits) {
    (self.place, self.limits) = (place, limits)
    queue = ExportQueue(place, limits)
  }

  static let members: [(holder: Node, name: StaticString, member: Node)] = [
    (.flow, "websocket", .webSocket), (.flow, "messages", .messages),
    (.flow, "request", .request), (.flow, "response", .response),
    (.flow, "client_conn", .client), (.flow, "server_conn", .server), (.flow, "error", .error),
    (.error, "msg", .errorText), (.error, "timestamp", .errorTime),
    (.flow, "timestamp_created", .created), (.flow, "type", .type),
    (.webSocket, "messages", .messages), (.webSocket, "close_code", .closeCode),
    (.webSocket, "close_reason", .closeReason),
    (.webSocket, "closed_by_client", .closedByClient), (.webSocket, "timestamp_end", .endTime),
    (.flow, "close_code", .closeCode), (.flow, "close_reason", .closeReason),
    (.flow, "closed_by_client", .closedByClient), (.flow, "timestamp_end", .endTime),
    (.flow, "close_sender", .closeSender), (.flow, "server_protocol", .serverProtocol),
    (.flow, "id", .id), (.flow, "metadata", .metadata),
    (.metadata, "websocket_handshake", .handshakeID),
    (.request, "method", .method), (.request, "scheme", .scheme), (.request, "host", .host),
    (.request, "port", .port), (.request, "path", .path), (.request, "headers", .requestFields),
    (.request, "content", .requestContent), (.request, "timestamp_start", .asked),
    (.response, "status_code", .status), (.response, "reason", .reason),
    (.response, "headers", .responseFields), (.response, "content", .responseContent),
    (.response, "timestamp_start", .began), (.response, "timestamp_end", .answered),
    (.client, "peername", .clientAddress), (.client, "address", .clientAddress),
    (.server, "peername", .serverAddress), (.server, "ip_address", .serverAddress),
  ]

  /// The place of an element of a list.
  static func element(_ index: Int, of node: Node) -> Node {
    switch (node, index) {
    case (.messages, _): .message
    case (.message, 0): .sender
    case (.message, 1): .second
    case (.message, 2): .content
    case (.message, 3): .time
    case (.message, 4): .dropped
    case (.message, 5): .injected
    case (.requestFields, _): .requestField
    case (.requestField, 0): .requestName
    case (.requestField, 1): .requestValue
    case (.responseFields, _): .responseField
    case (.responseField, 0): .responseName
    case (.responseField, 1): .responseValue
    case (.clientAddress, 0): .clientHost
    case (.clientAddress, 1): .clientPort
    case (.serverAddress, 0): .serverHost
    case (.serverAddress, 1): .serverPort
    default: .other
    }
  }

  static func shape(of node: Node) -> NetStringShape {
    switch node {
    case .flow, .webSocket, .request, .response, .client, .server, .error, .metadata: .dictionary
    case .messages, .message, .requestFields, .requestField, .responseFields, .responseField,
      .clientAddress, .serverAddress:
      .list
    default: .simple
    }
  }

  func most(of node: Node) -> Int {
    switch node {
    case .content, .second: limits.messageBytes
    case .requestContent, .responseContent: flow.hasOtherBodies ? 0 : limits.messageBytes
    default: limits.headBytes
    }
  }

  mutating func begin(_ node: Node, at offset: UInt64, _: any EvidenceSink) {
    switch node {
    case .flow: flow = Flow(offset: offset)
    case .webSocket: flow.hasWebSocket = true
    case .messages: if flow.number == 0 { flow.number = queue.begin() }
    case .message: message = FlowMessage(offset: offset)
    case .requestField, .responseField: flow.field = ([], [])
    default: break
    }
  }

  mutating func scalar(
    _ bytes: RawSpan, _ value: NetStringScalar, _ node: Node, _ sink: any EvidenceSink
  ) {
    switch node {
    case .sender, .second, .content, .time, .dropped, .injected:
      message.take(bytes, value, node)
    default: flow.take(bytes, value, node)
    }
  }

  /// A dictionary or a list ends, or cannot be read any further.
  mutating func end(_ node: Node, isWhole: Bool, _ sink: any EvidenceSink) {
    switch node {
    case .message: if isWhole { endMessage(sink) }
    case .requestField, .responseField:
      flow.heads.append(
        flow.field.name, flow.field.value, toResponse: node == .responseField,
        most: limits.headBytes)
    case .flow: endFlow(sink)
    default: break
    }
  }

  /// The row of flows makes no sense at some place.
  ///
  /// - Parameter isEnd: whether nothing behind it can be read; else the outermost value is over.
  func damaged(at offset: UInt64, _ reason: String, isEnd: Bool, _ sink: any EvidenceSink) {
    sink.finding(
      Finding(
        .exportDamaged, .warning, place.origin(offset),
        "the file of flows stops making sense at \(place.byte(offset)): \(reason);"
          + (isEnd ? " what follows is not read" : " the rest of this flow is passed over")
      ).cutting)
  }

  /// No more comes.
  mutating func finish(_ sink: any EvidenceSink) {
    // Nothing was said behind these handshakes.
    if !handshakes.isEmpty { sink.count(.httpRequest, handshakes.count) }
    queue.release(sink)
  }

  private mutating func endMessage(_ sink: any EvidenceSink) {
    records += 1
    // Swapped out of `self`, which changes while the message is lent.
    var message = FlowMessage()
    swap(&message, &self.message)
    let origin = place.origin(message.offset, record: records, message.at?.instant ?? .unknown)
    switch message.read() {
    case .message(let opcode, let direction):
      let source = ExportQueue.Source(
        flow: flow.number, direction: direction, time: message.at, record: records,
        offset: message.offset)
      queue.message(opcode, message.content.bytes, source, remark: message.remark)
    case .stream(let direction):
      flow.isStream = true
      let source = ExportQueue.Source(
        flow: flow.number, direction: direction, time: message.at, record: records,
        offset: flow.streamed(direction, message.content.count))
      queue.message(nil, message.content.bytes, source)
    case .trouble(let code, let text, let direction):
      var finding = Finding(code, .warning, origin, text)
      finding.lostMessages = 1
      queue.finding(flow.number, finding, direction, message.at?.digits ?? 0)
    }
    if !queue.isFull { return }
    open()
    queue.release(sink)
  }

  private mutating func endFlow(_ sink: any EvidenceSink) {
    defer { flow = Flow() }
    // Its conversation is not opened, so that nobody reads its datagrams as a stream.
    if flow.isUDP { return sink.count(.packetNotTCP, flow.pieces) }
    // One that has no messages yet is open all the same.
    if flow.number == 0 && flow.hasWebSocket { flow.number = queue.begin() }
    let exchange = flow.exchange
    let isHandshake = flow.isHandshake && handshakes.count < limits.connections
    // Those of exchanges and conversations are counted where they are read.
    let isRead = exchange != nil || flow.number > 0 || isHandshake
    if !isRead && !flow.heads.method.isEmpty { sink.count(.httpRequest, 1) }
    if let text = flow.error, flow.number > 0 || exchange != nil || flow.heads.asksForWebSocket {
      let finding = Finding(
        .exportConnectionError, .warning,
        place.origin(flow.offset, flow.errorTime?.instant ?? .unknown),
        "the proxy that recorded \(flow.name) reports an error: \(text)")
      queue.finding(flow.number, finding, .unknown, flow.errorTime?.digits ?? 0)
    }
    if isHandshake { handshakes[flow.id] = flow }
    if flow.number == 0 {
      if let refusal = flow.heads.refusal(of: flow.name) {
        let origin = place.origin(flow.offset, flow.created?.instant ?? .unknown)
        let finding = Finding(.exportRefused, .warning, origin, refusal)
        queue.finding(0, finding, .unknown, flow.created?.digits ?? 0)
      } else if let exchange {
        exchange.give(to: &queue, &records)
        if queue.isFull { queue.release(sink) }
      }
      return
    }
    open()
    if let closing = flow.closing {
      if let payload = flow.closePayload {
        records += 1
        let source = ExportQueue.Source(
          flow: flow.number, direction: closing.by, time: flow.ended, record: records,
          offset: flow.offset)
        queue.message(.close, payload.span.bytes, source)
      }
      queue.close(flow.number, closing, flow.ended, at: flow.offset)
    }
    if queue.isFull { queue.release(sink) }
  }

  /// Says what the conversation of this flow is, once.
  private mutating func open() {
    if flow.isOpen { return }
    flow.isOpen = true
    if let handshake = handshakes.removeValue(forKey: flow.handshakeID) {
      flow.take(handshake: handshake)
    }
    queue.open(flow.number, flow.opening, flow.created, at: flow.offset)
  }
}
