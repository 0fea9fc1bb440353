// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// SockJS, which carries text messages over a WebSocket, or over HTTP where there is none.
public struct SockJSDialect: Dialect {
  public init() {}

  public var name: StaticString { "sockjs" }
  public var topics: [Topic] { SockJSGuide.topics }
  public var findings: [Explanation] { SockJSFindings.all }

  public var spansConnections: Bool { true }

  public func isNegotiated(_ opening: Opening) -> Bool {
    opening.carrier == .webSocket && opening.subprotocol.isEmpty
      && !opening.provenance.isTranscoded
      && SockJSURL(opening.url).map { $0.isEvident && $0.isOfWebSocket } == true
  }

  public func recogniser(limits: Limits, _: SharedScan) -> any Recogniser {
    SockJSRecogniser(limits: limits)
  }

  public func layer(_ opening: Opening, _ run: RunContext) -> any Layer {
    if let url = SockJSURL(opening.url) {
      run.shared { SockJSPlaces(limits: run.limits) }.add(opening, url.place)
    }
    return Boxed(SockJSLayer(opening, run))
  }

  public func reader(
    of request: HTTPRequest, _ run: RunContext, _: any Listener
  ) -> (any HTTPExchangeReader)? {
    guard let url = SockJSURL(request.url), let exchange = SockJSExchange(request, url, run) else {
      return SockJSInfo(request, run)
    }
    return url.isEvident || exchange.continuesSession
      ? exchange : SockJSTrial(exchange, limits: run.limits)
  }

  public func noteRefusal(of attempt: Opening, _ delivery: Delivery, _ run: RunContext) {
    guard let url = SockJSURL(attempt.url) else { return }
    run.shared { SockJSAttempts(limits: run.limits) }.add(attempt, url, delivery)
  }

  /// A finding about `PREFIX/websocket`, if there were sessions at `PREFIX` (SockJS protocol 0.3.4,
  /// "Raw WebSocket endpoint").
  public func remark(
    on opening: Opening, _ delivery: Delivery, _ run: RunContext
  ) -> Finding? {
    guard let place = SockJSURL.place(ofRaw: opening.url),
      run.shared({ SockJSPlaces(limits: run.limits) }).contains(opening, place)
    else { return nil }
    return Finding(
      .sockJSRawEndpoint, .note, delivery.origin,
      "the raw WebSocket of a SockJS server: messages stand there without frames of SockJS")
  }

  public func outline(
    _ message: Message, _ bytes: RawSpan, into rows: inout ContiguousArray<OutlineRow>
  ) {
    guard message.traits.contains(.bodyInNotes) else {
      return PlainOutline.append(message, bytes, to: &rows)
    }
    var code = OutlineRow("code", .heading, ByteRange())
    code.link = 1
    rows.append(code)
    if message.reason.isEmpty { return }
    var reason = OutlineRow("reason", .text, message.reason)
    reason.meaning = "in the words of the server"
    rows.append(reason)
  }
}
