// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// A request that may be one for the frames of a session, though the part of its path that a load
/// balancer goes by is not three digits. That it is shows in the answer, if it opens a session.
final class SockJSTrial: HTTPExchangeReader {
  private enum State {
    case open, proven, refuted
  }

  private let exchange: SockJSExchange
  private var state = State.open
  /// The body of the answer, until its first frame is there.
  private var body = Scratch()
  /// Bytes that the filling before that has at most.
  private static let most = 4096
  private let limits: Limits
  var continuesSession: Bool { false }

  init(_ exchange: SockJSExchange, limits: Limits) {
    (self.exchange, self.limits) = (exchange, limits)
  }

  func answered(
    status: Int, contentType: [UInt8], _ delivery: Delivery, _ listener: any Listener
  ) {
    exchange.answered(status: status, contentType: contentType, delivery, listener)
  }

  func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) -> HTTPBodyUse {
    if state == .proven { return exchange.receive(bytes, delivery, listener) }
    let passed = HTTPBodyUse(passed: bytes.byteCount)
    guard state == .open, delivery.origin.direction == .toClient else { return passed }
    body.append(bytes)
    var frames = SockJSBodyReader(exchange.form, limits: limits)
    var isFirst = true
    _ = frames.receive(body.bytes) { frame in
      if isFirst { state = frame.equals("o") ? .proven : .refuted }
      isFirst = false
    }
    if state == .open && body.count > Self.most { state = .refuted }
    guard state == .proven else { return passed }
    let use = exchange.receive(body.bytes, delivery, listener)
    body.removeAll()
    // Pieces before this one were passed.
    return HTTPBodyUse(held: min(use.held, bytes.byteCount))
  }

  func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    if state == .proven { return exchange.gap(missing, delivery, listener) }
    if delivery.origin.direction == .toClient { state = .refuted }
  }

  func end(_ end: HTTPBodyEnd, _ delivery: Delivery, _ listener: any Listener) {
    if state == .proven { exchange.end(end, delivery, listener) }
  }
}
