// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// One HTTP exchange of a session: it receives frames, or sends a list of messages (SockJS protocol
/// 0.3.4, "HTTP streaming", "HTTP polling").
final class SockJSExchange: HTTPExchangeReader {
  private let request: HTTPRequest
  private let run: RunContext
  private let key: [UInt8]
  private let url: SockJSURL
  private var session: SpanningSession?
  let continuesSession: Bool
  /// The request body, until it is complete; nil in an exchange that receives.
  private var sent: BodyPieces?
  private var frames: SockJSBodyReader
  var form: SockJSBodyReader.Form { frames.form }
  private var status = 0
  private var last: Delivery?
  /// It sends, and has no response yet.
  private var isAwaiting = false

  /// Nil when the transport is not HTTP, and for what is sent to no session, as far as is known.
  init?(_ request: HTTPRequest, _ url: SockJSURL, _ run: RunContext) {
    if url.isOfWebSocket { return nil }
    (self.request, self.run, self.url) = (request, run, url)
    key = SpanningSessions.key(request.connection, url.key)
    session = run.sessions[key]
    continuesSession = session != nil
    if url.isSending && !url.isEvident && !continuesSession { return nil }
    let form: SockJSBodyReader.Form =
      switch "\(url.transport)" {
      case "eventsource": .event
      case "htmlfile", "jsonp": .call
      default: .plain
      }
    frames = SockJSBodyReader(form, limits: run.limits)
    if url.isSending {
      (sent, isAwaiting) = (BodyPieces(limits: run.limits), true)
      run.shared { RequestOverlaps() }.begin(key, at: request.origin)
    }
    session?.beginExchange()
  }

  func answered(status: Int, contentType _: [UInt8], _ delivery: Delivery, _ listener: any Listener)
  {
    self.status = status
    // Only this response proves that the request was unanswered until now.
    if endSending(delivery) {
      session?.report(
        Finding(
          .sockJSSendOverlap, .warning, delivery.origin,
          "a later request of this session had begun to send when this one was answered: the server"
            + " may take the two in any order"), listener)
    }
    if sent != nil && status == 404, let session, session.exchanges > 1, !session.isClosed {
      session.report(
        Finding(
          .sockJSAffinityLost, .warning, delivery.origin,
          "the server answered 404, no such session, while another request of it is open: what was"
            + " sent is lost; probably a load balancer has sent it to another server"), listener)
    } else if sent != nil && status >= 400 {
      // The messages were captured, but the server refused them.
      report(
        Finding(
          .sockJSSendRefused, .warning, delivery.origin,
          "the server answered \(status): it took nothing of what this request sent"), listener)
    }
  }

  func receive(_ body: RawSpan, _ delivery: Delivery, _ listener: any Listener) -> HTTPBodyUse {
    if delivery.origin.direction == .toServer { return hold(body, delivery, listener) }
    guard sent == nil && status == 200 else { return HTTPBodyUse(passed: body.byteCount) }
    last = delivery
    let use = frames.receive(body) { pass($0, delivery, listener) }
    if frames.isTooLarge {
      frames.drop()
      incomplete("a frame is larger than \(run.limits.messageBytes) bytes", delivery, listener)
    }
    return use
  }

  private func hold(
    _ body: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) -> HTTPBodyUse {
    guard let use = sent?.hold(body) else { return HTTPBodyUse(passed: body.byteCount) }
    last = delivery
    if sent?.isTooLarge == true {
      sent?.drop()
      incomplete("what was sent is larger than can be held", delivery, listener)
    }
    return use
  }

  /// The request was answered, or its answer may have been missed.
  ///
  /// - Returns: whether a later request of the session was sending meanwhile.
  @discardableResult private func endSending(_ delivery: Delivery) -> Bool {
    defer { isAwaiting = false }
    return isAwaiting
      && run.shared { RequestOverlaps() }.end(key, from: request.origin, to: delivery.origin)
  }

  func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    endSending(delivery)
    frames.drop()
    sent?.drop()
    let size = missing.map { $0 == 1 ? "1 byte is" : "\($0) bytes are" } ?? "bytes are"
    incomplete("\(size) missing, or cannot be read", delivery, listener)
  }

  func end(_ end: HTTPBodyEnd, _ delivery: Delivery, _ listener: any Listener) {
    if delivery.origin.direction == .toServer {
      if let sent = sent?.held, !sent.isEmpty, let last, end == .whole {
        pass(sent: sent, last, listener)
      }
      if sent == nil { session?.beginReceiving(delivery, listener) }
      sent?.drop()
      return
    }
    endSending(delivery)
    if frames.isInside {
      let at = last ?? delivery
      if end == .whole && frames.mayBeWhole {
        frames.finish { pass($0, at, listener) }
      } else {
        report(
          .sockJSReceiverAborted, .warning, at,
          "the response ends inside of a frame: messages in it may be lost", listener)
        session?.gap(nil, at, listener)
      }
    }
    if sent != nil && status == 0 { judgeSilence(end, delivery, listener) }
    session?.endExchange(delivery, listener)
  }

  /// Reports a request without a response. Unless the server ended the connection, the response may
  /// have been on its way.
  private func judgeSilence(
    _ end: HTTPBodyEnd, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard let last, last.origin.direction == .toServer else { return }
    let unknown = "whether it took what this request sent is not known"
    let text: String
    switch end {
    case .whole, .lost: return
    case .cutOff(by: .toClient, at: _):
      text = "the server closed the connection without an answer: \(unknown)"
    case .cutOff(by: .toServer, let time):
      guard let waited = patience(from: last.origin.time, to: time) else { return }
      text =
        "the server did not answer, and after \(waited) s the client closed the connection:"
        + " \(unknown)"
    case .cutOff, .unfinished:
      guard let waited = patience(from: last.origin.time, to: delivery.origin.time) else { return }
      text = "the server did not answer in \(waited) s: \(unknown)"
    }
    session?.report(Finding(.sockJSSendUnanswered, .warning, delivery.origin, text), listener)
  }

  /// How long the response was awaited, in seconds; nil when less than five, or not known.
  private func patience(from began: Instant, to end: Instant) -> String? {
    guard let waited = end.nanoseconds(since: began) else { return nil }
    let tenths = (waited &+ 50_000_000) / 100_000_000
    return tenths < 50 ? nil : "\(tenths / 10).\(tenths % 10)"
  }

  // MARK: - Into the session

  /// The body of `jsonp_send` may be a form, with the list in its field `d`.
  private func pass(sent: Scratch, _ delivery: Delivery, _ listener: any Listener) {
    var list = Scratch()
    let isForm = request.contentType.starts(with: "application/x-www-form-urlencoded".utf8)
    if isForm && FormField.append("d=", of: sent.bytes, to: &list) {
      pass(list.bytes, delivery, listener)
    } else {
      pass(sent.bytes, delivery, listener)
    }
  }

  private func pass(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    let isNew = session == nil
    if isNew { begin(isFromStart: bytes.equals("o"), listener) }
    guard let session else { return }
    session.note(transport: url.transport)
    var lent = delivery
    lent.kind = .text
    session.receive(bytes, lent, count: SockJSFrame.messages(bytes), listener)
    if isNew { reportFallback(delivery, listener) }
    if delivery.origin.direction == .toClient, let closing = SockJSFrame.closing(bytes) {
      session.end(closing, delivery, listener)
    }
  }

  private func begin(isFromStart: Bool, _ listener: any Listener) {
    // Another exchange may have begun it meanwhile.
    session = run.sessions[key]
    run.shared { SockJSPlaces(limits: run.limits) }.add(request.connection, url.place)
    if session == nil {
      var opening = request.connection
      (opening.carrier, opening.url, opening.isFromStart) = (.http, request.url, isFromStart)
      session = run.sessions.add(
        key, opening, above: Boxed(SockJSLayer(opening, run)), listener)
    }
    session?.beginExchange()
    if sent == nil { session?.noteReceiving() }
  }

  // MARK: - Findings

  private func reportFallback(_ delivery: Delivery, _ listener: any Listener) {
    let attempts = run.shared { SockJSAttempts(limits: run.limits) }
    guard let refused = attempts.take(request.connection, url, at: delivery.origin.time) else {
      return
    }
    let place = refused.record > 0 ? " (packet \(refused.record))" : ""
    session?.report(
      Finding(
        .sockJSFellBack, .note, delivery.origin,
        "the WebSocket that this client asked for before was refused\(place); it uses"
          + " \(url.transport) now"), listener)
  }

  private func incomplete(_ why: String, _ delivery: Delivery, _ listener: any Listener) {
    report(.sockJSBodyIncomplete, .warning, delivery, why, listener)
    session?.gap(nil, delivery, listener)
  }

  private func report(
    _ code: Finding.Code, _ severity: Finding.Severity, _ delivery: Delivery, _ text: String,
    _ listener: any Listener
  ) {
    // Nothing more is expected of a session that is over.
    if session?.isClosed == true { return }
    var finding = Finding(code, severity, delivery.origin, text)
    finding.lostMessages = 1
    report(finding, listener)
  }

  /// Before the first message of a session there is none yet.
  private func report(_ finding: Finding, _ listener: any Listener) {
    if let session { session.report(finding, listener) } else { listener.finding(finding) }
  }
}
