// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Requests, answers and ends of streams.
extension HTTP2Layer {
  /// HEADERS, PUSH_PROMISE or CONTINUATION (RFC 9113 §6.2, §6.6, §6.10).
  mutating func section(
    _ frame: HTTP2Frame, _ payload: RawSpan, _ half: Cell<HTTP2Half>, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    if half.value.mayBeFirst {
      half.value.mayBeFirst = false
      // RFC 9113 §5.1.1: a client's first stream is 1, so no section came before it.
      if frame.stream != 1 { loseHeaders(half, delivery, listener) }
    }
    half.value.hasFields = true
    if payload.byteCount < frame.length {
      half.value.block = nil
      return loseHeaders(half, delivery, listener)
    }
    if frame.type == HTTP2Frame.Kind.continuation {
      guard half.value.block != nil else {
        tellBad(frame, "continues no field section", delivery, listener)
        return loseHeaders(half, delivery, listener)
      }
      half.value.block!.octets += payload.copied()
    } else {
      var start = 0
      var end = payload.byteCount
      if frame.has(HTTP2Frame.Flag.padded) && end > 0 {
        start = 1
        end -= Int(payload.byte(at: 0))
      }
      if frame.type == HTTP2Frame.Kind.pushPromise {
        start += 4
      } else if frame.has(HTTP2Frame.Flag.priority) {
        start += 5
      }
      guard start <= end else {
        tellBad(frame, "is all padding", delivery, listener)
        return loseHeaders(half, delivery, listener)
      }
      half.value.block = HTTP2Half.Block(
        stream: frame.stream, octets: payload.extracting(start..<end).copied(),
        endsStream: frame.has(HTTP2Frame.Flag.endStream)
          && frame.type == HTTP2Frame.Kind.headers,
        isPromise: frame.type == HTTP2Frame.Kind.pushPromise,
        room: Reservation(limits.unfinishedBytes))
    }
    let size = half.value.block!.octets.count
    let isWhole = frame.has(HTTP2Frame.Flag.endHeaders)
    if size > limits.headBytes || !isWhole && !half.value.block!.room.reserve(size) {
      half.value.block = nil
      return loseHeaders(
        half, delivery, listener, because: size > limits.headBytes ? nil : Reservation.shortage)
    }
    guard isWhole, let block = half.value.block else { return }
    half.value.block = nil
    finish(block, half, delivery, listener)
  }

  private mutating func finish(
    _ block: HTTP2Half.Block, _ half: Cell<HTTP2Half>, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    let wasLost = half.value.headers.isLost
    _ = half.value.headers.reserve()
    let fields = half.value.headers.fields(block.octets)
    if fields == nil && !wasLost {
      loseHeaders(half, delivery, listener, because: half.value.headers.obstacle)
    }
    if block.isPromise { return }
    let isUp = delivery.origin.direction == .toServer
    if let fields {
      if isUp {
        request(fields, block.stream, delivery, listener)
      } else {
        respond(fields, block.stream, delivery, listener)
      }
    } else if isUp {
      if !block.endsStream { missRequest(block.stream, listener) }
    } else if streams[block.stream]?.isOpen == false {
      // The content will show whether the server accepted.
      judge(block.stream, listener)
    }
    if block.endsStream { end(block.stream, delivery, listener) }
  }

  /// Field sections of this direction cannot be read any more.
  ///
  /// - Parameter reason: nil if fields were lost or broken.
  mutating func loseHeaders(
    _ half: Cell<HTTP2Half>, _ delivery: Delivery, _ listener: any Listener,
    because reason: String? = nil
  ) {
    half.value.headers.lose()
    let who = delivery.origin.direction == .toServer ? "client" : "server"
    let reason = reason ?? "they refer to some that are lost or broken"
    tellOnce(
      .headersLost, .warning, delivery, listener,
      "\(opening.client) → \(opening.server): HTTP/2 fields of the \(who) can no longer be read,"
        + " as \(reason); new streams are told by the answers and"
        + " by what they carry")
  }

  private mutating func request(
    _ fields: [(name: String, value: [UInt8])], _ stream: UInt32, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    // Trailers have no method.
    guard let head = Head(request: fields) else { return }
    listener.count(.httpRequest, 1)
    settle(stream)
    lastRequest = max(lastRequest, stream)
    let early = answers.isEmpty ? nil : answers.removeValue(forKey: stream)
    guard let upgrade = Upgrade(extendedConnect: head), streams[stream] == nil else {
      if let early { drop(early, listener) }
      return
    }
    let isFull = streams.count >= limits.streams
    let share = isFull ? nil : Allowance.Share(of: limits.allStreams)
    if share == nil {
      if let early { drop(early, listener) }
      let many = isFull ? "more than \(limits.streams)" : "too many"
      let whose = isFull ? "one HTTP/2 connection" : "all HTTP/2 connections together"
      return tellOnce(
        .tooManyStreams, .warning, delivery, listener,
        "\(many) WebSocket streams at once on \(whose): the others are not read")
    }
    var asked = HTTP2Stream(upgrade, limits)
    (asked.flow, asked.share) = (flows.take(), share)
    streams[stream] = asked
    if let early { answer(stream, with: early, listener) }
  }

  private mutating func respond(
    _ fields: [(name: String, value: [UInt8])], _ stream: UInt32, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    guard let head = Head(response: fields), let status = head.status, status / 100 != 1 else {
      return
    }
    if streams[stream] == nil { return keep(head, for: stream, delivery, listener) }
    respond(head, stream, delivery, listener)
  }

  mutating func respond(
    _ head: Head, _ stream: UInt32, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard let status = head.status, let asked = streams[stream], !asked.isOpen else { return }
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
    var findings = Upgrade.settle(
      &webSocket, request: asked.upgrade, response: head, at: lent.origin)
    findings += chooser.remarks(on: webSocket, lent)
    if tellsHeads { webSocket.heads = (asked.upgrade?.head.lines ?? []) + head.lines }
    listener.opened(webSocket, lent)
    for finding in findings { listener.finding(finding) }
    var open = asked
    open.above = chooser.layer(for: webSocket)
    open.isOpen = true
    let waiting = open.held
    open.held.removeAll()
    waiting.replay(into: &open.above, listener)
    streams[stream] = open
  }

  private mutating func refuse(
    _ stream: UInt32, _ answer: String, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard let asked = streams[stream] else { return }
    let url = String(decoding: asked.upgrade?.url ?? [], as: Unicode.UTF8.self)
    listener.finding(
      Finding(
        .upgradeRefused, .warning, delivery.origin,
        "\(opening.client) asked \(url) for WebSocket and was refused: \(answer)"))
    var refused = opening
    refused.url = asked.upgrade?.url ?? []
    listener.refused(refused, delivery)
    chooser.noteRefusal(of: refused, delivery)
    forget(stream, listener)
  }

  /// The connection has ended while a stream still waits for its answer.
  func tellUnanswered(
    _ stream: UInt32, _ ending: Ending, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard let asked = streams[stream], !asked.isOpen, let upgrade = asked.upgrade,
      toClient.value.search == nil
    else { return }
    listener.finding(upgrade.unanswered(by: opening, ending, delivery.origin))
  }

  /// One side has ended a stream (END_STREAM).
  mutating func end(_ stream: UInt32, _ delivery: Delivery, _ listener: any Listener) {
    guard streams[stream] != nil else {
      if delivery.origin.direction == .toClient { answers[stream]?.hasEnded = true }
      return
    }
    if delivery.origin.direction == .toServer {
      streams[stream]!.hasEnded.client = true
    } else {
      streams[stream]!.hasEnded.server = true
    }
    streams[stream]!.finish(.half, delivery, listener)
    // A guess that is undecided when a side ends stays so: the other side may have ended long ago.
    var isOver = streams[stream]!.hasEnded == (true, true)
    if streams[stream]!.isGuess, case .notYet = streams[stream]!.above.settlement { isOver = true }
    guard isOver else { return }
    var both = delivery
    both.origin.direction = .unknown
    streams[stream]!.finish(.closed, both, listener)
    forget(stream, listener)
  }

  /// RST_STREAM (RFC 9113 §6.4).
  mutating func reset(
    _ stream: UInt32, code: UInt32, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard let known = streams[stream] else { return }
    if !known.isOpen {
      if delivery.origin.direction == .toClient {
        return refuse(stream, "RST_STREAM \(HTTP2Error.name(code))", delivery, listener)
      }
      return forget(stream, listener)
    }
    // After END_STREAM of a side, or with NO_ERROR, nothing is broken off.
    let isOrderly = code == 0 || known.hasEnded.client || known.hasEnded.server
    streams[stream]!.finish(isOrderly ? .closed : .reset, delivery, listener)
    forget(stream, listener)
  }

  /// GOAWAY (RFC 9113 §6.8).
  mutating func goAway(_ code: UInt32, _ delivery: Delivery, _ listener: any Listener) {
    if code == 0 { return }
    let who = delivery.origin.direction == .toServer ? "client" : "server"
    listener.finding(
      Finding(
        .goAway, .warning, delivery.origin,
        "\(opening.client) → \(opening.server): the \(who) ends the HTTP/2 connection with"
          + " GOAWAY \(HTTP2Error.name(code))"))
  }

  /// SETTINGS (RFC 9113 §6.5.2): how large the other side's dynamic table may become.
  func settings(_ frame: HTTP2Frame, _ payload: RawSpan, _ delivery: Delivery) {
    var at = 0
    while at + 6 <= payload.byteCount {
      if payload.uint16(at: at) == 1 {
        other(delivery).value.headers.allow(payload.uint32(at: at + 2))
      }
      at += 6
    }
  }
}
