// SPDX-License-Identifier: Apache-2.0
import TapBytes

extension Finding.Code {
  /// A message belongs to a session over HTTP that has ended.
  public static let sessionEnded: Self = "http.session-ended"
}

/// A session carried by HTTP exchanges, and perhaps a WebSocket after them, over any number of TCP
/// connections. To the listener it is one conversation, with a number of its own.
public final class SpanningSession {
  /// What identifies it: the server, and what the dialect reads in URLs.
  let key: [UInt8]
  /// The number of its conversation.
  public let flow: UInt32
  /// Closed: nothing more is reported of it.
  public private(set) var isClosed = false
  /// It has moved to a WebSocket for good, and ends with it.
  public var endsWithWebSocket = false
  private let flows: FlowNumbers
  private let opening: Opening
  private var above: any Layer
  /// Exchanges that are not over.
  public private(set) var exchanges = 0
  /// How it was ended, while an exchange still waits for its answer.
  private var ended: Closing?
  /// A side has ended it, but an exchange still waits for its answer.
  public var isEnding: Bool { ended != nil }
  private var transports: [StaticString] = []
  private var last = Delivery(Origin())
  /// A request that receives was captured.
  private var hasReceiver = false
  /// Its first message was reported.
  public private(set) var isOpen = false

  init(_ key: [UInt8], _ opening: Opening, _ flows: FlowNumbers, above: any Layer) {
    (self.key, self.opening, self.flows, self.above) = (key, opening, flows, above)
    flow = flows.take()
  }

  /// The same delivery with this session's flow number.
  public func own(_ delivery: Delivery) -> Delivery {
    var own = delivery
    own.origin.flow = flow
    return own
  }

  /// One more transport carries it.
  public func note(transport: StaticString) {
    if !transports.contains(where: { Symbol($0).equals(Symbol(transport)) }) {
      transports.append(transport)
    }
  }

  public func beginExchange() { exchanges += 1 }

  /// A request that receives has begun. When the session began before the capture, another one may
  /// have waited then: which answer was to that one is not known, and what it brought is missing.
  public func beginReceiving(_ delivery: Delivery, _ listener: any Listener) {
    if !hasReceiver { missFirstAnswer(delivery, listener) }
    hasReceiver = true
  }

  /// The first request that receives came before the session was known.
  public func noteReceiving() { hasReceiver = true }

  private func missFirstAnswer(_ delivery: Delivery, _ listener: any Listener) {
    if opening.isFromStart { return }
    var answer = delivery
    answer.origin.direction = .toClient
    gap(nil, answer, listener)
  }

  /// An exchange is over.
  public func endExchange(_ delivery: Delivery, _ listener: any Listener) {
    exchanges -= 1
    closeIfEnded(delivery, listener)
  }

  /// The next message of the session, whatever carries it; `delivery.kind` says what it is.
  ///
  /// - Parameter count: how many messages it is to the session.
  public func receive(
    _ message: RawSpan, _ delivery: Delivery, count: @autoclosure () -> Int = 1,
    _ listener: any Listener
  ) {
    if isClosed { return reportLate(message, delivery, count(), listener) }
    let own = own(delivery)
    open(own, listener)
    last = own
    above.receive(message, own, listener)
  }

  /// Either side may still send while the other one ends the session.
  private func reportLate(
    _ message: RawSpan, _ delivery: Delivery, _ count: Int, _ listener: any Listener
  ) {
    let size = message.byteCount
    var finding = Finding(
      .sessionEnded, .warning, delivery.origin,
      count == 1
        ? "a message of \(size) bytes came after its session had ended: it is not shown"
        : "\(count) messages of \(size) bytes came after their session had ended: they are not"
          + " shown")
    finding.lostMessages = UInt64(count)
    listener.finding(finding)
  }

  /// Part of one direction is missing.
  public func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    if isClosed || !isOpen { return }
    above.gap(missing, own(delivery), listener)
  }

  /// Reports a finding about the session. While it has no conversation, as it is over or nothing
  /// was said in it, the finding belongs to none.
  public func report(_ finding: Finding, _ listener: any Listener) {
    var reported = finding
    if isOpen && !isClosed { reported.origin.flow = flow }
    listener.finding(reported)
  }

  /// A side has ended it: it closes once all requests are answered.
  public func end(_ closing: Closing, _ delivery: Delivery, _ listener: any Listener) {
    if ended == nil { ended = closing }
    closeIfEnded(delivery, listener)
  }

  private func closeIfEnded(_ delivery: Delivery, _ listener: any Listener) {
    guard let ended, exchanges <= 0, !endsWithWebSocket else { return }
    close(ended, .closed, delivery, listener)
  }

  private func open(_ own: Delivery, _ listener: any Listener) {
    if isOpen { return }
    isOpen = true
    listener.opened(opening, own)
  }

  /// It is over.
  public func close(
    _ closing: Closing, _ ending: Ending, _ delivery: Delivery, _ listener: any Listener
  ) {
    if isClosed { return }
    if !hasReceiver { missFirstAnswer(delivery, listener) }
    isClosed = true
    var own = own(delivery)
    // The packet that shows that an exchange is over may be earlier than that of the last message.
    if own.origin.isBefore(last.origin) { own.origin = last.origin }
    if isOpen {
      above.finish(ending, own, listener)
      var reported = closing
      reported.transports = transports
      listener.closed(reported, own)
    }
    above = NullLayer()
    flows.give(flow)
  }

  /// Closes it because the evidence ends, or because there is no room for it any more.
  func close(unfinished listener: any Listener) {
    var closing = ended ?? Closing(isUnfinished: true)
    closing.endsWithFrame = false
    close(closing, ended == nil ? .endOfEvidence : .closed, last, listener)
  }
}
