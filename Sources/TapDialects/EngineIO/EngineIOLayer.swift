// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Engine.IO over a WebSocket: one packet in each message.
struct EngineIOLayer: Layer {
  private var session: EngineIOSession
  private let carrier: StaticString

  init(_ opening: Opening, _ run: RunContext) {
    let query = EngineIOQuery(url: opening.url)
    // A request with a session id continues a session that began on another transport.
    let isWhole =
      opening.isFromStart && opening.client.isKnown && (query.map { $0.session.isEmpty } ?? true)
    session = EngineIOSession(opening, query, knowsAll: isWhole, limits: run.limits)
    carrier = UnclaimedLayer.name(of: opening.carrier)
  }

  /// Pasted text: a packet, or a polling body with several.
  private mutating func paste(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    let hasSeveral = EngineIOPayload.each(bytes) { session.receive(text: $0, delivery, listener) }
    if !hasSeveral { session.receive(text: bytes, delivery, listener) }
  }

  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    switch delivery.kind {
    case .text, .stream:
      if session.isPasted { return paste(bytes, delivery, listener) }
      session.receive(text: bytes, delivery, listener)
    case .binary: session.receive(binary: bytes, delivery, listener)
    case .withheld:
      session.miss(delivery, listener)
      UnclaimedLayer.withhold(bytes, delivery, carrier: carrier, listener)
    case .partialText, .dottedText, .abridged, .brokenText:
      session.miss(delivery, listener)
      // The packet type may be missing: it may be an OPEN or contain a login.
      let mayHoldSecrets = EngineIORecogniser.mayBeHandshake(bytes, delivery)
      UnclaimedLayer.report(
        bytes, delivery, mayHoldSecrets: mayHoldSecrets, carrier: carrier, listener)
    }
  }

  mutating func gap(_: Int?, _ delivery: Delivery, _ listener: any Listener) {
    session.miss(delivery, listener)
  }

  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    session.finish(ending, delivery, listener)
  }
}
