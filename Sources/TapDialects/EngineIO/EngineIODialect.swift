// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Engine.IO, revisions 2 to 4, which carries Socket.IO.
public struct EngineIODialect: Dialect {
  public init() {}

  public var name: StaticString { "engineio" }
  public var topics: [Topic] { EngineIOGuide.topics }
  public var findings: [Explanation] { EngineIOFindings.all }

  public var spansConnections: Bool { true }

  /// Its URL proves it. Applications may add a subprotocol of their own, such as a token.
  public func isNegotiated(_ opening: Opening) -> Bool {
    opening.carrier == .webSocket && EngineIOQuery(url: opening.url) != nil
  }

  public func recogniser(limits: Limits, _: SharedScan) -> any Recogniser {
    EngineIORecogniser(limits: limits)
  }

  public func layer(_ opening: Opening, _ run: RunContext) -> any Layer {
    if let session = session(carriedOnBy: opening, run) {
      return EngineIOUpgradeLayer(session: session)
    }
    return Boxed(EngineIOLayer(opening, run))
  }

  public func reader(
    of request: HTTPRequest, _ run: RunContext, _ listener: any Listener
  ) -> (any HTTPExchangeReader)? {
    // An unknown transport is read too, as the server's answer reports it.
    guard let query = EngineIOQuery(url: request.url),
      !query.transport.elementsEqual("websocket".utf8)
    else { return nil }
    return EngineIOPolling(request, query, run, listener)
  }

  public func session(carriedOnBy opening: Opening, _ run: RunContext) -> SpanningSession? {
    guard isNegotiated(opening), let query = EngineIOQuery(url: opening.url),
      !query.session.isEmpty,
      let session = run.sessions[EngineIOPolling.key(opening, opening.url, query.session)],
      session.isOpen, !session.isClosed
    else { return nil }
    return session
  }

  public func mayHoldCredentials(_ bytes: RawSpan, _ delivery: Delivery) -> Bool {
    if bytes.starts(with: "0{\"sid\"") || bytes.starts(with: "40{") { return true }
    guard bytes.starts(with: "40/") else { return false }
    // A CONNECT to a namespace has them in its data or in the query of the namespace. `40/15` has
    // none.
    return delivery.kind != .text || bytes.firstIndex(of: .openBrace) != nil
      || bytes.firstIndex(of: UInt8(ascii: "?")) != nil
  }

  /// The content of an OPEN, key by key; of other packets their text.
  public func outline(
    _ message: Message, _ bytes: RawSpan, into rows: inout ContiguousArray<OutlineRow>
  ) {
    guard message.name.equals("OPEN") else { return PlainOutline.append(message, bytes, to: &rows) }
    JSONOutline.append(
      message, bytes,
      [
        ("sid", "the session: who has it can read and write"),
        ("upgrades", "transports that the session may change to"),
        ("pingInterval", "milliseconds from one ping to the next"),
        ("pingTimeout", "milliseconds that an answer may take"),
        ("maxPayload", "bytes that the server takes at once"),
      ], to: &rows)
  }
}
