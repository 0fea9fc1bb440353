// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// One exchange of Engine.IO polling: a GET that receives, or a POST that sends
/// (engine.io-protocol, "HTTP long-polling").
final class EngineIOPolling: HTTPExchangeReader {
  private let request: HTTPRequest
  private let run: RunContext
  /// Nil before the OPEN of a new session.
  private var session: SpanningSession?
  private(set) var continuesSession = false
  private var payload: EngineIOPayloadReader
  /// The response to a GET contains packets.
  private var isGood = false
  private var last: Delivery?
  private var status = 0
  /// The body of the response to a POST, or of an error.
  private var answer = Scratch()
  /// The number of packets that a POST sends.
  private var records = 0
  /// The key of the session and method while there is no response; nil afterwards.
  private var awaited: [UInt8]?
  /// When the request began, its session had moved to a WebSocket already.
  private var isLate = false
  /// The direction whose body has the packets.
  private var side: Direction { request.method == "POST" ? .toServer : .toClient }

  init(_ request: HTTPRequest, _ query: EngineIOQuery, _ run: RunContext, _ listener: any Listener)
  {
    (self.request, self.run) = (request, run)
    payload = EngineIOPayloadReader(query, limits: run.limits)
    if query.session.isEmpty { return }
    let key = EngineIOPolling.key(request.connection, request.url, query.session)
    let known = run.sessions[key]
    continuesSession = known != nil
    session = known ?? begin(key, isFromStart: false, listener)
    session?.beginExchange()
    isLate = session?.endsWithWebSocket == true
    let kind = key + [.space] + request.method.utf8
    awaited = kind
    run.shared { RequestOverlaps() }.begin(kind, at: request.origin)
  }

  /// The request was answered, or its answer may have been missed.
  ///
  /// - Returns: whether a later request of its kind has begun meanwhile.
  @discardableResult private func endWaiting(_ delivery: Delivery) -> Bool {
    defer { awaited = nil }
    guard let awaited else { return false }
    return run.shared { RequestOverlaps() }.end(
      awaited, from: request.origin, to: delivery.origin)
  }

  /// The key of a session: the server, the path, and the session id.
  static func key(_ connection: Opening, _ url: [UInt8], _ id: some Sequence<UInt8>) -> [UInt8] {
    let host = url.firstIndex(of: UInt8(ascii: ":")).map { url[$0...] } ?? url[...]
    return SpanningSessions.key(
      connection, Array(host.prefix { $0 != UInt8(ascii: "?") }) + [.space] + id)
  }

  private func begin(
    _ key: [UInt8], isFromStart: Bool, _ listener: any Listener
  ) -> SpanningSession {
    var opening = request.connection
    (opening.carrier, opening.url, opening.isFromStart) = (.http, request.url, isFromStart)
    return run.sessions.add(key, opening, above: Boxed(EngineIOLayer(opening, run)), listener)
  }

  func answered(
    status: Int, contentType: [UInt8], _ delivery: Delivery, _ listener: any Listener
  ) {
    self.status = status
    if endWaiting(delivery) {
      session?.report(
        Finding(
          .eioPollingOverlap, .error, delivery.origin,
          "another \(request.method) of this session had begun when this one was answered: servers"
            + " close the session, or answer one of the two with what the other one waits for"),
        listener)
    }
    isGood = status == 200 && request.method == "GET"
    // The body of a POST may still be on its way: bytes of it are waited for.
    if side == .toClient { payload.begin(contentType) }
  }

  func receive(
    _ body: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) -> HTTPBodyUse {
    let isSent = delivery.origin.direction == .toServer
    // Other bodies are kept only to report errors.
    guard isSent ? request.method == "POST" : isGood else {
      if !isSent && answer.count < EngineIORefusal.longest { answer.append(body) }
      return HTTPBodyUse(passed: body.byteCount)
    }
    if isSent && last == nil { payload.begin(request.contentType) }
    last = delivery
    let use = payload.receive(body) { packet, isBinary in
      report(packet, isBinary: isBinary, delivery, listener)
    }
    if payload.isTooLarge {
      payload.drop()
      remark("a body is larger than \(run.limits.messageBytes) bytes: it is not read", listener)
    }
    return use
  }

  func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    status = 0
    endWaiting(delivery)
    let isHeld = delivery.origin.direction == side && payload.drop()
    last = delivery
    let size = missing.map { counted($0, "byte") } ?? "bytes"
    remark(
      "\(size) of a polling session \(missing == 1 ? "is" : "are") missing, or cannot be read"
        + (isHeld ? ": a packet of which the beginning is there is not shown" : ""), listener)
    session?.gap(missing, delivery, listener)
  }

  func end(_ end: HTTPBodyEnd, _ delivery: Delivery, _ listener: any Listener) {
    let isSide = delivery.origin.direction == side
    if isSide, let last, !payload.isEmpty {
      if end == .whole {
        payload.finish { packet, isBinary in report(packet, isBinary: isBinary, last, listener) }
        if payload.isMalformed {
          remark(
            .eioPayloadLength, .error,
            "a body of \(payload.heldBytes) bytes that its lengths do not take apart", listener)
        }
      } else {
        remark("a body ends before its last packet does", listener)
        session?.gap(nil, last, listener)
      }
    }
    if side == .toClient && !isSide { session?.beginReceiving(delivery, listener) }
    if isSide {
      payload.reset()
      last = nil
    }
    if delivery.origin.direction == .toClient {
      // The answer, which was not captured, may have had packets.
      if awaited != nil && end == .lost { session?.gap(nil, delivery, listener) }
      endWaiting(delivery)
      if end == .whole { judgeAnswer(delivery, listener) }
      session?.endExchange(delivery, listener)
    }
  }

  /// Checks what the server sends in place of packets.
  private func judgeAnswer(_ delivery: Delivery, _ listener: any Listener) {
    if request.method == "POST" && status == 200 {
      // python-engineio, max_decode_packets: it answers "OK" although it drops the payload.
      guard records > 16, answer.bytes.equals("OK") else { return }
      session?.report(
        Finding(
          .eioPayloadRecords, .warning, delivery.origin,
          "\(records) packets were sent at once; python-engineio takes 16 at most, and nothing of"
            + " a body that has more"), listener)
      return
    }
    guard let refusal = EngineIORefusal(status: status, answer.bytes) else {
      return judgeFailure(delivery, listener)
    }
    var finding = Finding(refusal.code, refusal.severity, delivery.origin, refusal.text)
    if refusal.code == .eioBadRequest, request.method == "GET", session?.isEnding == true {
      // python-engineio answers the waiting GET like this when the client sends CLOSE.
      finding.severity = .note
      finding.text += "; it waited when the session was closed"
    }
    report(finding, listener)
  }

  /// Something other than Engine.IO has answered, as a proxy does without its server.
  private func judgeFailure(_ delivery: Delivery, _ listener: any Listener) {
    guard status >= 400 else { return }
    let said = "the server answered \(status)"
    report(
      Finding(
        .eioRequestFailed, .warning, delivery.origin,
        request.method == "POST"
          ? "\(said): nothing shows that it took what this request sent"
          : "\(said) in place of packets"), listener)
  }

  /// Before the OPEN of a session there is none yet.
  private func report(_ finding: Finding, _ listener: any Listener) {
    if let session { session.report(finding, listener) } else { listener.finding(finding) }
  }

  private func report(
    _ packet: RawSpan, isBinary: Bool, _ delivery: Delivery, _ listener: any Listener
  ) {
    if session == nil { open(packet, listener) }
    guard let session else { return }
    session.note(transport: "polling")
    if delivery.origin.direction == .toServer { records += 1 }
    var lent = delivery
    lent.kind = isBinary ? .binary : .text
    session.receive(packet, lent, listener)
    if isLate && !packet.equals("6") && !packet.equals("1") {
      isLate = false
      session.report(
        Finding(
          .eioOldTransport, .warning, delivery.origin,
          "the session had moved to its WebSocket before this request began; this packet goes by"
            + " polling", isAboutLastMessage: true), listener)
    }
    if !isBinary && packet.equals("1") {
      var closing = Closing(by: delivery.origin.direction)
      closing.endsWithFrame = false
      session.end(closing, delivery, listener)
    }
  }

  /// An OPEN begins a session; all later requests name its id.
  private func open(_ packet: RawSpan, _ listener: any Listener) {
    guard EngineIOType(packet) == .open else { return }
    var scanner = JSONScanner(maximumDepth: run.limits.nesting)
    let object = packet.dropping(1)
    guard scanner.scan(object) == object.byteCount, !scanner.isArray,
      let id = EngineIOHandshake(object).session, id.kind == .string
    else {
      return remark(
        .eioOpenInvalid, .error, "OPEN names no session: what belongs to it cannot be read",
        listener)
    }
    let key = Self.key(request.connection, request.url, object[id.content].copied())
    session = begin(key, isFromStart: true, listener)
    session?.beginExchange()
  }

  private func remark(_ text: String, _ listener: any Listener) {
    remark(.eioBodyIncomplete, .warning, text, listener)
  }

  private func remark(
    _ code: Finding.Code, _ severity: Finding.Severity, _ text: String, _ listener: any Listener
  ) {
    // Nothing more is expected of a session that is over.
    guard let last, session?.isClosed != true else { return }
    var finding = Finding(code, severity, last.origin, text)
    finding.lostMessages = 1
    report(finding, listener)
  }
}
