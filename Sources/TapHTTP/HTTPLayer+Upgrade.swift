// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Connections whose client asked for another protocol than HTTP.
extension HTTPLayer {
  /// Frames that come this much before the answer, in nanoseconds of capture time, were really sent
  /// early: the two directions are not captured that far out of order.
  private static let mostSkew: Int64 = 100_000_000

  /// The server refused to speak WebSocket.
  func refuse(
    _ upgrade: Upgrade, by head: Head, _ delivery: Delivery, _ listener: any Listener
  ) {
    let reason = String(decoding: head.reason, as: Unicode.UTF8.self)
    let url = String(decoding: upgrade.url, as: Unicode.UTF8.self)
    listener.finding(
      .upgradeRefused, .warning, delivery.origin,
      "\(opening.client) asked \(url) for WebSocket and was refused:"
        + " \(head.status ?? 0) \(reason)")
    for finding in upgrade.findings(at: delivery.origin) { listener.finding(finding) }
    let faults = HandshakeFaults(refusal: head)
    if let finding = faults.finding(of: "the answer that refuses WebSocket", delivery.origin) {
      listener.finding(finding)
    }
    var refused = opening
    refused.url = upgrade.url
    listener.refused(refused, delivery)
    chooser.noteRefusal(of: refused, delivery)
  }

  /// A finding if the client sent frames before the server accepted (RFC 6455 §4.1); nil if it did
  /// not, as far as times show.
  private func earlyFrames(_ answer: Delivery) -> Finding? {
    guard case .bytes(_, let first)? = held.pieces.first, first.origin.time.isKnown,
      answer.origin.time.isKnown
    else { return nil }
    let ahead = answer.origin.time.nanoseconds &- first.origin.time.nanoseconds
    if ahead < Self.mostSkew { return nil }
    var finding = Finding(
      .badUpgrade, .error, answer.origin,
      "the client began to send \(ahead / 1_000_000) ms before the server agreed to WebSocket")
    finding.source = "RFC 6455 §4.1"
    return finding
  }

  /// The server did not accept, so what the client sent after its request is HTTP, too.
  mutating func continueStream(_ listener: any Listener) {
    let waiting = held
    held.removeAll()
    clientMode = .head
    waiting.replay(into: &self, listener)
  }

  /// Both have agreed on another protocol, which brings the answer to the request. HTTP/2 has it on
  /// a stream (RFC 7540 §3.2).
  mutating func change(
    after request: OpenRequests.Asked?, _ head: Head, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    if head.lists("h2c", in: "upgrade"),
      let http2 = chooser.http2(inner, answering: request?.reader)
    {
      return tunnel(to: http2, delivery, listener)
    }
    if let request, let reader = request.reader {
      // The answer to a request with messages in its body has none.
      if !request.hasBody { reader.gap(nil, delivery, listener) }
      endExchanges([reader], .lost, delivery, listener)
    }
    tunnel(to: chooser.layer(for: inner), delivery, listener)
  }

  /// A proxy has connected the client to its target (RFC 9110 §9.3.6).
  mutating func tunnel(_ delivery: Delivery, _ listener: any Listener) {
    tunnel(to: chooser.layer(for: inner), delivery, listener)
  }

  /// What is opened for the stream once it is another protocol's.
  private var inner: Opening {
    var inner = opening
    (inner.isFromStart, inner.guesses) = (true, inner.guesses + 1)
    return inner
  }

  /// The stream is another protocol's from here on.
  private mutating func tunnel(
    to layer: any Layer, _ delivery: Delivery, _ listener: any Listener
  ) {
    above = layer
    isPassing = true
    dropBodies(delivery, listener)
    settleStart(true, delivery, listener)
    (clientMode, serverMode) = (.passing, .passing)
    let waiting = held
    held.removeAll()
    waiting.replay(into: &above, listener)
  }

  /// The server accepted: everything from here on is frames.
  mutating func accept(
    _ head: Head, _ request: Upgrade?, _ delivery: Delivery, _ listener: any Listener
  ) {
    var webSocket = opening
    webSocket.carrier = .webSocket
    webSocket.isFromStart = true
    var findings = Upgrade.settle(
      &webSocket, request: request, response: head, at: delivery.origin)
    if let early = earlyFrames(delivery) { findings.append(early) }
    if reportsHeads { webSocket.heads = (request?.head.lines ?? []) + head.lines }
    dropBodies(delivery, listener)
    lastReader = nil
    above = chooser.open(webSocket, findings, delivery, listener)
    isPassing = true
    serverMode = .passing
    if request != nil || isWaiting || hasClientGap || opening.isFromStart && isClientLost {
      // Where a gap was reported, the request is in it, and no frame is, as the client waits for
      // the answer.
      settleStart(true, delivery, listener)
      clientMode = .passing
    } else if !opening.isFromStart {
      // The request, or its beginning, was sent before the capture began.
      settleStart(true, delivery, listener)
      forgetHead(true)
      clientMode = .head
    }
    // Otherwise the request comes after its answer, as with several capture queues.
    let waiting = held
    held.removeAll()
    waiting.replay(into: &above, listener)
  }

  /// Holds bytes of the client until the server answers. It may take its time: as long as none of
  /// its bytes are missing, the answer is still to come.
  mutating func hold(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    held.append(bytes, delivery)
    if held.cost > limits.undecidedBytes || !held.reserve() { handOver(delivery, listener) }
  }

  /// The answer to the upgrade will not be seen. Another layer, which recognises streams by their
  /// content, takes over from the first byte after the request.
  mutating func handOver(_ delivery: Delivery, _ listener: any Listener) {
    if case .unsure(let missing, let place) = serverMode, let reader = asked.last?.reader {
      reader.gap(missing, place, listener)
    }
    dropBodies(delivery, listener)
    settleStart(true, delivery, listener)
    if !isUnsure { settleStart(false, delivery, listener) }
    var middle = opening
    middle.isFromStart = false
    middle.guesses += 1
    if let upgrade = asked.last?.upgrade {
      middle.url = upgrade.url
      middle.offered = upgrade.offered
    }
    above = chooser.layer(for: middle)
    isPassing = true
    let before = serverMode
    (clientMode, serverMode) = (.passing, .passing)
    let waiting = held
    held.removeAll()
    waiting.replay(into: &above, listener)
    if case .unsure(let missing, let delivery) = before {
      above.gap(missing, delivery, listener)
    }
    let start = takeStart(isClient: false)
    if let first = start.first { above.receive(start.octets.bytes, first, listener) }
  }
}

extension ReplayBuffer {
  /// Nothing was sent; a side may have ended.
  var hasOnlyEnd: Bool {
    pieces.allSatisfy { if case .half = $0 { true } else { false } }
  }
}
