// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// What has a meaning of an HTTP archive (HAR 1.2) whose entries have `_webSocketMessages`, as
/// Chromium's developer tools, mitmproxy, HTTP Toolkit and Proxyman write them: of each entry the
/// handshake and its messages, in any order. Messages are held, to be put in the order of their
/// times.
struct HARReader: JSONExport {
  static let name: StaticString = "har"
  static let title = "HAR"
  static let marks: [(outer: StaticString, inner: StaticString)] = [
    ("log", "entries"), ("log", "creator"), ("log", "pages"), ("log", "browser"),
  ]
  static var usualDepth: Int? { nil }

  enum Node {
    case root, log, entries, entry, other
    case started, elapsed, timings, receiving, address
    case posted, postedText, postedSize, content, contentText, contentSize, contentEncoding
    case request, method, url, requestFields, requestField, requestName, requestValue
    case response, status, statusText, responseFields, responseField, responseName, responseValue
    case messages, message, type, time, opcode, data
    case close, closeCode, closeReason, closeTime
  }

  static var root: Node { .root }
  static var other: Node { .other }

  private let place: Place
  private let limits: Limits
  private var queue: ExportQueue
  private var entry = HAREntry()
  private var message = ExportedMessage()
  /// Messages so far, of all entries.
  private var records: UInt64 = 0
  /// The addresses of servers, by host and port: a WebSocket, whose entry often has none, may go on
  /// with a session that polling began.
  private var addresses: [[UInt8]: [UInt8]] = [:]
  /// Connections of WebSocket without messages in the archive, and where the first is.
  private var silent: (count: UInt64, offset: UInt64, areAllOpen: Bool) = (0, 0, true)

  init(_ place: Place, _ limits: Limits) {
    (self.place, self.limits) = (place, limits)
    queue = ExportQueue(place, limits)
  }

  static func element(of node: Node) -> Node {
    switch node {
    case .entries: .entry
    case .requestFields: .requestField
    case .responseFields: .responseField
    case .messages: .message
    default: .other
    }
  }

  static let members: [(holder: Node, name: StaticString, member: Node)] = [
    (.root, "log", .log), (.log, "entries", .entries),
    (.entry, "startedDateTime", .started), (.entry, "time", .elapsed),
    (.entry, "timings", .timings), (.timings, "receive", .receiving),
    (.entry, "serverIPAddress", .address),
    (.entry, "request", .request), (.entry, "response", .response),
    (.entry, "_webSocketMessages", .messages), (.entry, "_webSocketClose", .close),
    (.request, "method", .method), (.request, "url", .url), (.request, "headers", .requestFields),
    (.request, "postData", .posted), (.posted, "text", .postedText),
    (.request, "bodySize", .postedSize),
    (.requestField, "name", .requestName), (.requestField, "value", .requestValue),
    (.response, "status", .status), (.response, "statusText", .statusText),
    (.response, "headers", .responseFields),
    (.response, "content", .content), (.content, "text", .contentText),
    (.content, "size", .contentSize), (.content, "encoding", .contentEncoding),
    (.responseField, "name", .responseName), (.responseField, "value", .responseValue),
    (.message, "type", .type), (.message, "time", .time), (.message, "opcode", .opcode),
    (.message, "data", .data),
    (.close, "code", .closeCode), (.close, "reason", .closeReason),
    (.close, "timestamp", .closeTime), (.close, "time", .closeTime),
  ]

  func most(of node: Node) -> Int {
    // Bytes in base64 take four characters for three.
    let most = limits.messageBytes / 3 * 4 + 4
    switch node {
    case .data: return most
    // Most entries of a HAR are files of a page.
    case .postedText, .contentText:
      let isKnown = !entry.heads.url.isEmpty && !entry.heads.method.isEmpty
      return isKnown && !entry.heads.mayCarryMessages ? 0 : most
    default: return limits.headBytes
    }
  }

  mutating func begin(_ node: Node, at offset: UInt64, _: any EvidenceSink) {
    switch node {
    case .entry: entry = HAREntry(offset: offset)
    case .messages: if entry.flow == 0 { entry.flow = queue.begin() }
    case .message: message.begin(at: offset)
    case .requestField, .responseField: entry.field = ([], [])
    default: break
    }
  }

  mutating func scalar(_ bytes: RawSpan, _ value: JSONScalar, _ node: Node, _: any EvidenceSink) {
    switch node {
    case .started: entry.started = ExportTime(rfc3339: bytes)
    case .elapsed: entry.elapsed = Decimal(bytes)?.scaled(by: 6) ?? 0
    case .receiving:
      // -1 stands for what does not apply (HAR 1.2).
      entry.receiving = Decimal(bytes)?.scaled(by: 6).flatMap { $0 < 0 ? nil : $0 }
    case .address: entry.address = value.text(bytes) ?? []
    case .postedText: entry.body.request.take(bytes, isWhole: value.isWhole(bytes))
    case .postedSize: entry.body.request.size = value.integer(bytes)
    case .contentText: entry.body.response.take(bytes, isWhole: value.isWhole(bytes))
    case .contentSize: entry.body.response.size = value.integer(bytes)
    case .contentEncoding: entry.encoding = value.text(bytes) ?? []
    case .method: entry.heads.method = value.text(bytes) ?? []
    case .url: entry.heads.url = value.text(bytes) ?? []
    case .requestName, .responseName: entry.field.name = value.text(bytes) ?? []
    case .requestValue, .responseValue: entry.field.value = value.text(bytes) ?? []
    case .status: entry.heads.status = bytes.copied()
    case .statusText: entry.heads.reason = value.text(bytes) ?? []
    case .type: message.type = value.text(bytes) ?? []
    case .time: message.time = Self.time(bytes, value)
    case .opcode: message.opcode = value.integer(bytes)
    case .data: message.take(bytes, value)
    case .closeCode: entry.close.code = value.integer(bytes).flatMap { UInt16(exactly: $0) }
    case .closeReason: entry.close.reason = value.text(bytes) ?? []
    case .closeTime: entry.closeTime = Self.time(bytes, value)
    case .message:
      records += 1
      var finding = Finding(
        .exportBadMessage, .warning, place.origin(value.offset, record: records),
        "a message of \(entry.name) is no object: nothing of it can be read")
      finding.lostMessages = 1
      queue.finding(entry.flow, finding, .unknown, 0)
    default: break
    }
  }

  /// Seconds since 1970, or as the times of entries are written.
  private static func time(_ bytes: RawSpan, _ value: JSONScalar) -> ExportTime? {
    (value.isString ? ExportTime(rfc3339: bytes) : nil) ?? ExportTime(number: bytes)
  }

  mutating func end(_ node: Node, at offset: UInt64, _ sink: any EvidenceSink) {
    switch node {
    case .requestField, .responseField:
      entry.heads.append(
        entry.field.name, entry.field.value, toResponse: node == .responseField,
        most: limits.headBytes)
    case .message: endMessage(sink)
    case .close: entry.hasClose = true
    case .entry: endEntry(sink)
    default: break
    }
  }

  /// No more comes: what is there of the last entry is given on.
  mutating func finish(_ sink: any EvidenceSink) {
    // An entry that is cut: what else it had is not known.
    if entry.flow > 0 || entry.heads.mayCarryMessages { endEntry(sink) }
    queue.release(sink)
    if silent.count == 0 { return }
    let connections = counted(silent.count, "WebSocket connection")
    sink.finding(
      .harMessagesMissing, .warning, place.origin(silent.offset),
      "the HAR has no messages of \(connections): whoever wrote it does not record them"
        + (silent.areAllOpen ? "" : ", or nobody answered"))
  }

  private mutating func endEntry(_ sink: any EvidenceSink) {
    defer { entry = HAREntry() }
    let isExchange = entry.isExchange
    settleAddress(isExchange: isExchange)
    let refusal = entry.hasMessages ? nil : entry.heads.refusal(of: entry.name)
    // Those of exchanges and conversations are counted where they are read.
    let isRead = isExchange || entry.flow > 0 && refusal == nil
    if !isRead && !entry.heads.url.isEmpty { sink.count(.httpRequest, 1) }
    if let refusal {
      let origin = place.origin(entry.offset, entry.started?.instant ?? .unknown)
      let finding = Finding(.exportRefused, .warning, origin, refusal)
      return queue.finding(0, finding, .unknown, entry.started?.digits ?? 0)
    }
    guard entry.flow > 0 else {
      if isExchange {
        entry.exchange.give(to: &queue, &records)
        if queue.isFull { queue.release(sink) }
      } else if entry.heads.isAccepted || entry.heads.isOfWebSocket {
        if silent.count == 0 { silent.offset = entry.offset }
        silent.count += 1
        if !entry.heads.isAccepted { silent.areAllOpen = false }
      }
      return
    }
    open()
    for error in entry.errors {
      let finding = Finding(
        .exportConnectionError, .warning, error.origin,
        "the program that recorded \(entry.name) reports an error: \(error.text)")
      queue.finding(entry.flow, finding, .unknown, error.digits)
    }
    if entry.hasClose { queue.close(entry.flow, entry.close, entry.closeTime, at: entry.offset) }
    if queue.isFull { queue.release(sink) }
  }

  /// Sessions over HTTP are known by the address of their server, which need not be that of all its
  /// names' requests.
  private mutating func settleAddress(isExchange: Bool) {
    let server = Array(entry.heads.authority)
    if let known = addresses[server] {
      if isExchange || entry.address.isEmpty { entry.address = known }
    } else if !entry.address.isEmpty && addresses.count < limits.connections {
      addresses[server] = entry.address
    }
  }

  /// Says what the conversation of this entry is, once.
  private mutating func open() {
    if entry.isOpen { return }
    entry.isOpen = true
    queue.open(entry.flow, entry.opening, entry.started, at: entry.offset)
  }

  private mutating func endMessage(_ sink: any EvidenceSink) {
    records += 1
    // Swapped out of `self`, which changes while the message is lent.
    var message = ExportedMessage()
    swap(&message, &self.message)
    defer { swap(&message, &self.message) }
    let origin = place.origin(message.offset, record: records, message.time?.instant ?? .unknown)
    let direction: Direction? =
      switch String(decoding: message.type, as: Unicode.UTF8.self) {
      case "send", "sent": .toServer
      case "receive", "received": .toClient
      default: nil
      }
    if let direction {
      let outcome = message.read(limits)
      take(outcome, message, direction, origin)
    } else if message.type.elementsEqual("error".utf8) {
      entry.note(error: message.words, origin, message.time?.digits ?? 0)
    } else {
      let type = String(decoding: message.type, as: Unicode.UTF8.self)
      let text = "a message does not say who sent it: its type is “\(type)”"
      take(.trouble(.exportBadMessage, text), message, .unknown, origin)
    }
    if !queue.isFull { return }
    open()
    queue.release(sink)
  }

  private mutating func take(
    _ outcome: ExportedMessage.Outcome, _ message: borrowing ExportedMessage,
    _ direction: Direction, _ origin: Origin
  ) {
    switch outcome {
    case .message(let opcode):
      entry.hasMessages = true
      let source = ExportQueue.Source(
        flow: entry.flow, direction: direction, time: message.time, record: records,
        offset: message.offset)
      queue.message(opcode, message.content.bytes, source)
    case .trouble(let code, let text):
      var finding = Finding(code, .warning, origin, text)
      finding.lostMessages = 1
      queue.finding(entry.flow, finding, direction, message.time?.digits ?? 0)
    }
  }
}

extension Finding.Code {
  static let harMessagesMissing: Finding.Code = "har.messages-missing"
}
