// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// What has a meaning of a record of one event: the event itself, with its method and its
/// parameters, or a record of Selenium's performance log, which has the event in JSON in a string.
struct BrowserEventReader: JSONForm {
  enum Node {
    case text, record, foreign, message, session, fetched, other
    case method, parameters, request, time, wallTime, url, resource, error
    case head, requestFields, response, responseFields, status, statusText, opcode, data
  }

  static var root: Node { .text }
  static var other: Node { .other }

  private let place: Place
  private let limits: Limits
  private var event = BrowserEvent()
  private var connections: BrowserConnections
  /// The event in the string of a record is read.
  private var isInside = false
  /// Where the text begins that is read.
  private var start: UInt64 = 0
  private var isList = false
  /// The text was made of what stands there: its offsets are others.
  var isTranslated = false
  /// Records so far.
  private(set) var records: UInt64 = 0
  /// Whether the text is of this kind, as far as the first records show.
  private(set) var claim = InputClaim.undecided
  /// One of the first lines and records is none of an event.
  private(set) var hasOthers = false
  /// Lines and records so far.
  private(set) var texts = 0
  /// How many of them must be events.
  static let first = 8
  /// Places where the text makes no sense.
  private var damages = 0

  init(_ place: Place, _ limits: Limits) {
    (self.place, self.limits) = (place, limits)
    connections = BrowserConnections(place, limits)
  }

  static let members: [(holder: Node, name: StaticString, member: Node)] = [
    (.record, "method", .method), (.record, "params", .parameters),
    (.record, "message", .message), (.record, "timestamp", .fetched),
    (.record, "webview", .session), (.record, "sessionId", .session),
    (.record, "id", .foreign), (.record, "jsonrpc", .foreign), (.record, "result", .foreign),
    (.message, "method", .method), (.message, "params", .parameters),
    (.message, "sessionId", .session),
    (.parameters, "requestId", .request), (.parameters, "timestamp", .time),
    (.parameters, "wallTime", .wallTime), (.parameters, "url", .url),
    (.parameters, "type", .resource), (.parameters, "errorMessage", .error),
    (.parameters, "data", .data), (.parameters, "request", .head),
    (.parameters, "response", .response),
    (.head, "url", .url), (.head, "headers", .requestFields),
    (.response, "headers", .responseFields), (.response, "status", .status),
    (.response, "statusText", .statusText), (.response, "opcode", .opcode),
    (.response, "payloadData", .data),
  ]

  /// A text is a record, or a list of records.
  static func member(_ key: RawSpan, of node: Node) -> Node {
    let node = node == .text ? .record : node
    for (holder, name, member) in members where holder == node && key.equals(name) {
      return member
    }
    return .other
  }

  static func element(of node: Node) -> Node { node == .text ? .record : .other }

  func isKept(_ node: Node) -> Bool { node == .requestFields || node == .responseFields }

  func most(of node: Node) -> Int {
    switch node {
    // Bytes in base64 take four characters for three, and quotes in a string take two for one.
    case .data: limits.messageBytes / 3 * 4 + 4
    case .message: limits.messageBytes * 2 + limits.headBytes
    default: limits.headBytes
    }
  }

  // MARK: - The text

  /// A text begins.
  ///
  /// - Parameter isList: of records; else it is one.
  mutating func begin(at offset: UInt64, isList: Bool) {
    (start, self.isList, isTranslated) = (offset, isList, false)
  }

  /// Where a place in the text stands in the file.
  func offset(_ offset: UInt64) -> UInt64 { isTranslated ? start : start + offset }

  /// The text ends, whatever has come of a record.
  mutating func endRecord() { event = BrowserEvent() }

  /// A line is no record.
  mutating func isOther() {
    hasOthers = hasOthers || texts < Self.first
    texts += 1
    decide(.no)
  }

  private mutating func decide(_ claim: InputClaim) {
    if self.claim == .undecided { self.claim = claim }
  }

  mutating func damaged(at offset: UInt64, _ reason: String) {
    decide(.no)
    damages += 1
    if damages > 1 { return }
    connections.note(
      Finding(
        .exportDamaged, .warning, place.origin(offset, record: records + 1),
        "the events of the browser stop making sense at \(place.byte(offset)): \(reason); the rest"
          + " of this line is not read"
      ).cutting)
  }

  mutating func truncated(at offset: UInt64) {
    connections.note(
      Finding(
        .exportTruncated, .warning, place.origin(offset, record: records + 1),
        "the events of the browser end at \(place.byte(offset)), before a closing bracket; what is"
          + " whole of them is read"
      ).cutting)
  }

  mutating func finish(_ sink: any EvidenceSink) {
    connections.finish(sink)
    if damages < 2 { return }
    sink.finding(
      Finding(
        .exportDamaged, .warning, place.origin(start, record: records),
        "\(counted(damages - 1, "more line")) of its events make no sense and are not read"
      ).cutting)
  }

  var waiting: UInt64? { connections.waiting }
  mutating func release(_ sink: any EvidenceSink) { connections.release(sink) }

  // MARK: - Records

  mutating func begin(_ node: Node, at offset: UInt64, _: any EvidenceSink) {
    switch node {
    case .text, .record: if !isInside { event = BrowserEvent(offset: self.offset(offset)) }
    case .parameters: event.hasParameters = true
    default: break
    }
  }

  mutating func scalar(
    _ bytes: RawSpan, _ value: JSONScalar, _ node: Node, _ sink: any EvidenceSink
  ) {
    switch node {
    case .text, .record: isOther()
    case .foreign: event.isForeign = true
    case .message: if value.isString && !isInside { read(bytes, value, sink) }
    case .session: event.name.session = value.text(bytes) ?? []
    case .fetched: event.fetched = ExportTime(number: bytes, exponent: -3)
    case .method: event.take(method: bytes)
    case .request: event.name.request = value.text(bytes) ?? []
    case .time: event.time = ExportTime(number: bytes)
    case .wallTime: event.wallTime = ExportTime(number: bytes)
    case .url: event.heads.url = value.text(bytes) ?? []
    case .resource: event.resource = value.text(bytes) ?? []
    case .error: event.error = value.text(bytes) ?? []
    case .requestFields: event.take(fields: bytes, toResponse: false, most: limits.headBytes)
    case .responseFields: event.take(fields: bytes, toResponse: true, most: limits.headBytes)
    case .status: event.heads.status = bytes.copied()
    case .statusText: event.heads.reason = value.text(bytes) ?? []
    case .opcode: event.message.opcode = value.integer(bytes)
    case .data: event.message.take(bytes, value)
    case .parameters, .head, .response, .other: break
    }
  }

  /// The event that stands in a string.
  private mutating func read(_ text: RawSpan, _ value: JSONScalar, _ sink: any EvidenceSink) {
    isInside = true
    var stream = JSONStream<Self>()
    stream.receive(text, &self, sink)
    isInside = false
    if !value.isWhole(text) { event.length = value.length }
    if stream.damage != nil { event.isEvent = false }
  }

  mutating func end(_ node: Node, at offset: UInt64, _ sink: any EvidenceSink) {
    guard !isInside, node == .record || node == .text && !isList else { return }
    records += 1
    // Taken out for as long as it is lent.
    var event = BrowserEvent()
    swap(&event, &self.event)
    event.record = records
    let isRead = event.isEvent && event.hasParameters && !event.isForeign
    if isRead {
      texts += 1
      // Events of other domains may be followed by one of this. Behind the name of an event may
      // stand what the page sent.
      if event.kind != nil { decide(event.name.request.isEmpty ? .no : .yes) }
    } else {
      if event.isForeign { decide(.no) } else { isOther() }
      sink.count(.line, 1)
      sink.count(.linePassedOver, 1)
    }
    if isRead { connections.take(&event, sink) }
  }
}
