// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapHTTP
import TapRawSocket
import TapTraffic
import TapWebSocket

/// The conversations that inputs tell apart themselves, without a transport: entries of an export,
/// sessions of a log. Each has its own layers, beginning with the one that its carrier needs.
struct Conversations {
  private struct Conversation {
    /// The number of its input, and the number that the input gave it.
    var name: WideKey
    var above: any Layer
    /// Its flow number in this run: the numbers of different inputs may collide.
    var flow: UInt32
    /// In a conversation of `.stream`, the layers themselves report the opening and the closing.
    var carrier: Opening.Carrier
    /// What the first CLOSE frame said, where control frames are reported one by one.
    var closing: Closing?
    var last: Delivery
    /// The session that it goes on with: what is said belongs to that.
    var session: SpanningSession?
    /// That session has not moved to another WebSocket before, and ends with this one once it has
    /// moved to it.
    var mayEndSession = false

    /// Nothing more is reported of it.
    var isOver: Bool { session?.isClosed == true }
  }

  private var open: ContiguousArray<Conversation> = []
  /// Index of each in `open`.
  private var places = IDTable<Int>()
  private let factory: LayerFactory
  private let limits: Limits

  /// For an input that continues another, the first input of that series; conversations are named
  /// by that one.
  private var heads: [UInt16: UInt16] = [:]

  init(_ factory: LayerFactory, _ limits: Limits, successions: [[Int]]) {
    (self.factory, self.limits) = (factory, limits)
    for inputs in successions where inputs.count > 1 {
      for input in inputs { heads[UInt16(clamping: input)] = UInt16(clamping: inputs[0]) }
    }
  }

  private func name(_ origin: Origin) -> WideKey {
    let head = heads.isEmpty ? origin.input : heads[origin.input] ?? origin.input
    return WideKey(UInt64(head), UInt64(origin.flow))
  }

  /// The conversation of a delivery, and the delivery with our flow number; nil when it was not
  /// opened.
  @inline(__always)
  private func find(_ delivery: Delivery) -> (place: Int, lent: Delivery)? {
    guard let place = places[name(delivery.origin)] else { return nil }
    var lent = delivery
    lent.origin.flow = open[place].flow
    return (place, lent)
  }

  mutating func open(_ opening: Opening, _ delivery: Delivery, _ listener: any Listener) {
    let name = name(delivery.origin)
    if places[name] != nil { close(Closing(isUnfinished: true), delivery, listener) }
    if open.count >= limits.connections { evict(listener) }
    let flow = factory.flows.take()
    var lent = delivery
    lent.origin.flow = flow
    places[name] = open.count
    if opening.carrier == .stream {
      open.append(
        Conversation(
          name: name, above: factory.layer(for: opening), flow: flow, carrier: opening.carrier,
          last: lent))
    } else {
      open.append(messages(opening, name, lent, listener))
    }
  }

  /// A conversation of whole messages. Its handshake, if any, is part of `opening`.
  private func messages(
    _ opening: Opening, _ name: WideKey, _ delivery: Delivery, _ listener: any Listener
  ) -> Conversation {
    var settled = opening
    let findings = ExportedHandshake.settle(
      &settled, reportsHeads: factory.reportsFrames, at: delivery.origin)
    let session = factory.session(carriedOnBy: settled)
    if let session {
      factory.flows.give(delivery.origin.flow)
      for finding in findings { session.report(finding, listener) }
    } else {
      // An export has its request, which nobody else has counted.
      if settled.provenance.isOfOneEnd { listener.count(.httpRequest, 1) }
      listener.opened(settled, delivery)
      for finding in findings { listener.finding(finding) }
    }
    return Conversation(
      name: name, above: factory.dialect(for: settled),
      flow: session?.flow ?? delivery.origin.flow, carrier: opening.carrier, last: delivery,
      session: session, mayEndSession: session?.endsWithWebSocket == false)
  }

  /// Bytes of a stream, or a message. They are dropped if the conversation was not opened.
  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    guard let (place, lent) = find(delivery) else { return }
    if open[place].isOver { return Self.count(late: bytes, listener) }
    open[place].last = lent
    if open[place].carrier == .stream {
      listener.count(.payloadByte, bytes.byteCount)
      open[place].above.receive(bytes, lent, listener)
    } else if delivery.kind == .withheld && delivery.certainBytes == 0 {
      UnclaimedLayer.withhold(bytes, lent, open[place].carrier, listener)
      open[place].above.gap(nil, lent, listener)
    } else {
      WholeMessages.receive(bytes, lent, &open[place].above, listener)
    }
  }

  /// The session that a WebSocket went on with has ended before it.
  private static func count(late bytes: RawSpan, _ listener: any Listener) {
    listener.count(.payloadByte, bytes.byteCount)
    listener.account(.afterClose, bytes.byteCount)
  }

  mutating func control(
    _ opcode: Opcode, _ payload: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard let (place, lent) = find(delivery) else { return }
    if open[place].isOver { return Self.count(late: payload, listener) }
    open[place].last = lent
    if open[place].carrier == .rawSocket {
      // RawSocket's PING and PONG come with the opcodes of WebSocket's (wamp-proto, "RawSocket
      // Transport").
      Heartbeat.report(isPing: opcode == .ping, payload, lent, listener)
    } else {
      WholeMessages.control(
        opcode, payload, lent, open[place].above, &open[place].closing, listener)
    }
  }

  /// A finding of an input about a conversation, with the input's own number for it.
  func finding(_ finding: Finding, _ listener: any Listener) {
    var reported = finding
    reported.origin.flow =
      places[name(finding.origin)].map { open[$0].isOver ? 0 : open[$0].flow } ?? 0
    listener.finding(reported)
  }

  mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    guard let (place, lent) = find(delivery), !open[place].isOver else { return }
    open[place].above.gap(missing, lent, listener)
  }

  mutating func close(_ closing: Closing, _ delivery: Delivery, _ listener: any Listener) {
    guard let (place, lent) = find(delivery) else { return }
    end(place, closing, lent, listener)
  }

  /// The end of all evidence.
  mutating func finish(_ listener: any Listener) {
    open.sort { ($0.name.high, $0.name.low) > ($1.name.high, $1.name.low) }
    for place in open.indices { places[open[place].name] = place }
    while let last = open.last {
      end(open.count - 1, Closing(isUnfinished: true), last.last, listener)
    }
  }

  /// There are too many: ends those that have been silent longest, an eighth of them at once, so
  /// that a flood of conversations does not cause a search for each.
  private mutating func evict(_ listener: any Listener) {
    let byAge = open.sorted { $0.last.origin.record < $1.last.origin.record }
    for conversation in byAge.prefix(max(1, byAge.count / 8)) {
      guard let place = places[conversation.name] else { continue }
      end(place, Closing(isUnfinished: true), conversation.last, listener)
    }
  }

  private mutating func end(
    _ place: Int, _ closing: Closing, _ delivery: Delivery, _ listener: any Listener
  ) {
    // The last conversation moves into its place.
    open.swapAt(place, open.count - 1)
    var conversation = open.removeLast()
    _ = places.removeValue(for: conversation.name)
    if place < open.count { places[open[place].name] = place }
    let ending: Ending =
      closing.isUnfinished ? .endOfEvidence : closing.isReset ? .reset : .closed
    conversation.above.finish(ending, delivery, listener)
    if conversation.carrier != .stream {
      var reported = closing
      // Read from our own NDJSON, which says so where the first CLOSE frame was not captured: the
      // one that is known came later.
      reported.isEndMissed = closing.isEndMissed && conversation.closing != nil
      if let first = conversation.closing, closing.code == nil, !reported.isEndMissed {
        reported = first
        (reported.isUnfinished, reported.isReset) = (closing.isUnfinished, closing.isReset)
        reported.transportEnd = closing.transportEnd
      }
      if let session = conversation.session {
        if conversation.mayEndSession && session.endsWithWebSocket {
          session.close(reported, ending, delivery, listener)
        }
        return
      }
      listener.closed(reported, delivery)
    }
    factory.flows.give(conversation.flow)
  }
}
