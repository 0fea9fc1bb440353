// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Requests, answers and ends of streams.
extension HTTP2Streams {
  mutating func request(
    _ fields: [(name: String, value: [UInt8])], _ stream: UInt32, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    // Trailers have no method.
    guard let head = Head(request: fields) else { return }
    settle(stream)
    lastRequest = max(lastRequest, stream)
    let early = answers.isEmpty ? nil : answers.removeValue(forKey: stream)
    let upgrade = Upgrade(extendedConnect: head)
    let isNew = all[stream] == nil && exchanges[stream] == nil
    let reader =
      upgrade == nil && isNew
      ? chooser.reader(of: head, on: opening, delivery.origin, listener) : nil
    let isOfSession =
      reader.map { $0.continuesSession }
      ?? upgrade.map { chooser.hasSession(for: $0, on: opening) } ?? false
    if !isOfSession { listener.count(.httpRequest, 1) }
    if let reader { return begin(reader, head, stream, early: early, delivery, listener) }
    guard let upgrade, isNew, let share = share(delivery, listener) else {
      if let early { drop(early, listener) }
      return
    }
    var asked = HTTP2Stream(upgrade, limits)
    (asked.flow, asked.share) = (flows.take(), share)
    all[stream] = asked
    if let early { answer(stream, with: early, listener) }
  }

  /// As many streams are read at once as one connection may have.
  var isFull: Bool { all.count + exchanges.count >= limits.http2Streams }

  /// Room for one more stream that is read; nil, and a finding, when there is none.
  mutating func share(_ delivery: Delivery, _ listener: any Listener) -> Allowance.Share? {
    if !isFull, let share = Allowance.Share(of: limits.allHTTP2Streams) { return share }
    if hasReportedTooMany { return nil }
    hasReportedTooMany = true
    let many = isFull ? "more than \(limits.http2Streams)" : "too many"
    let whose = isFull ? "one HTTP/2 connection" : "all HTTP/2 connections together"
    listener.finding(
      .tooManyStreams, .warning, delivery.origin,
      "\(many) streams with messages at once on \(whose): the others are not read")
    return nil
  }

  mutating func respond(
    _ fields: [(name: String, value: [UInt8])], _ stream: UInt32, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    guard let head = Head(response: fields), let status = head.status, status / 100 != 1 else {
      return
    }
    if exchanges[stream] != nil {
      return exchanges[stream]!.begin(answer: head, delivery, listener)
    }
    if all[stream] == nil { return keep(head, for: stream, delivery, listener) }
    respond(head, stream, delivery, listener)
  }

  mutating func respond(
    _ head: Head, _ stream: UInt32, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard let status = head.status, let asked = all[stream], !asked.isOpen else { return }
    if status / 100 == 2 { return accept(head, asked, stream, delivery, listener) }
    refuse(stream, "\(status)", delivery, listener)
  }

  private mutating func accept(
    _ head: Head, _ asked: HTTP2Stream, _ stream: UInt32, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    var lent = delivery
    lent.origin.flow = asked.flow
    var webSocket = opening
    webSocket.carrier = .webSocket
    (webSocket.isFromStart, webSocket.isMultiplexed) = (true, true)
    let findings = Upgrade.settle(
      &webSocket, request: asked.upgrade, response: head, at: lent.origin)
    if reportsHeads { webSocket.heads = (asked.upgrade?.head.lines ?? []) + head.lines }
    var open = asked
    open.above = chooser.open(webSocket, findings, lent, listener)
    open.isOpen = true
    let waiting = open.held
    open.held.removeAll()
    waiting.replay(into: &open.above, listener)
    all[stream] = open
  }

  private mutating func refuse(
    _ stream: UInt32, _ answer: String, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard let asked = all[stream] else { return }
    let url = String(decoding: asked.upgrade?.url ?? [], as: Unicode.UTF8.self)
    listener.finding(
      .upgradeRefused, .warning, delivery.origin,
      "\(opening.client) asked \(url) for WebSocket and was refused: \(answer)")
    var refused = opening
    refused.url = asked.upgrade?.url ?? []
    listener.refused(refused, delivery)
    chooser.noteRefusal(of: refused, delivery)
    forget(stream, listener)
  }

  /// The connection has ended while a stream still waits for its answer.
  func reportUnanswered(
    _ stream: UInt32, _ ending: Ending, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard let asked = all[stream], !asked.isOpen, let upgrade = asked.upgrade,
      toClient.value.search == nil
    else { return }
    listener.finding(upgrade.unanswered(by: opening, ending, delivery.origin))
  }

  /// One side has ended a stream (END_STREAM).
  mutating func end(_ stream: UInt32, _ delivery: Delivery, _ listener: any Listener) {
    if exchanges[stream] != nil { return endExchange(stream, .whole, delivery, listener) }
    guard all[stream] != nil else {
      if delivery.origin.direction == .toClient { answers[stream]?.hasEnded = true }
      return
    }
    if delivery.origin.direction == .toServer {
      all[stream]!.hasEnded.client = true
    } else {
      all[stream]!.hasEnded.server = true
    }
    all[stream]!.finish(.half, delivery, listener)
    // A guess that is undecided when a side ends stays so: the other side may have ended long ago.
    var isOver = all[stream]!.hasEnded == (true, true)
    if all[stream]!.isGuess, case .notYet = all[stream]!.above.settlement { isOver = true }
    guard isOver else { return }
    var both = delivery
    both.origin.direction = .unknown
    all[stream]!.finish(.closed, both, listener)
    forget(stream, listener)
  }

  /// RST_STREAM (RFC 9113 §6.4).
  mutating func reset(
    _ stream: UInt32, code: UInt32, _ delivery: Delivery, _ listener: any Listener
  ) {
    let (by, time) = (delivery.origin.direction, delivery.origin.time)
    breakOff(stream, .cutOff(by: by, at: time), delivery, listener)
    guard let known = all[stream] else { return }
    if !known.isOpen {
      if delivery.origin.direction == .toClient {
        return refuse(stream, "RST_STREAM \(HTTP2Error.name(code))", delivery, listener)
      }
      return forget(stream, listener)
    }
    // After END_STREAM of a side, or with NO_ERROR, nothing is broken off.
    let isOrderly = code == 0 || known.hasEnded.client || known.hasEnded.server
    all[stream]!.finish(isOrderly ? .closed : .reset, delivery, listener)
    forget(stream, listener)
  }
}
