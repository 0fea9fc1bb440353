// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// HTTP/1.1 as far as it leads to WebSocket (RFC 9112, RFC 6455 §4). Heads are read, bodies are
/// skipped, and once an upgrade is accepted, everything goes to the layer that it opens. Other HTTP
/// is only counted.
public struct HTTPLayer: Layer {
  enum Mode {
    case head
    case body(Body)
    /// The client asked for an upgrade; the answer decides what its next bytes are.
    case waiting
    /// Not HTTP, until a head begins a segment.
    case lost
    /// Bytes of the server are missing: the answer to an upgrade, or something before it.
    case unsure(Int?, Delivery)
    case passing
  }

  var clientMode = Mode.head
  var serverMode = Mode.head
  /// Bytes at the beginning of a segment, too few to decide whether a head begins.
  var starts: (client: HeadStart, server: HeadStart) = (HeadStart(), HeadStart())
  private var clientHead: HeadReader
  private var serverHead: HeadReader
  var asked: OpenRequests
  private var hasReportedRequests = false
  /// Bodies that dialects read.
  var clientFeed: BodyFeed?
  var serverFeed: BodyFeed?
  /// The reader of the last exchange that a dialect read.
  var lastReader: (any HTTPExchangeReader)?
  /// Behind a gap of the server, its next head answers the last request.
  var mayHaveLostAnswers = false
  /// Behind a gap of the client, no request was seen yet: some may be lost in it.
  var mayHaveLostRequests = false
  /// The last answer, to a request that was not captured, may be of a proxy that has connected the
  /// client to its target: what the client sends next shows it.
  private var mayBeTunnel = false
  /// Answers to requests that were not captured, until they are reported.
  @Apart var unasked: UnaskedAnswers?
  /// The first FIN, or reset, of the connection.
  var firstEnd: Origin?
  /// The last upgrade had no answer, which is reported.
  private var isUpgradeOver = false
  var held: ReplayBuffer
  var above: any Layer = NullLayer()
  var isPassing = false
  /// The beginning was not captured, and no head was found yet.
  var isLooking: Bool
  /// Meanwhile, a gap of the client was reported: its next byte is known to follow that.
  var hasClientGap = false
  let opening: Opening
  let chooser: any Chooser
  let limits: HTTPLimits
  let reportsHeads: Bool

  /// - Parameter reportsHeads: whether the heads of an upgrade are reported with the opening.
  public init(
    _ opening: Opening, _ chooser: any Chooser, limits: borrowing Limits, reportsHeads: Bool = false
  ) {
    (self.chooser, self.limits) = (chooser, HTTPLimits(limits))
    self.reportsHeads = reportsHeads
    (clientHead, serverHead) = (HeadReader(self.limits), HeadReader(self.limits))
    held = ReplayBuffer(limits.undecided)
    asked = OpenRequests(most: limits.pipelinedRequests)
    isLooking = !opening.isFromStart
    if isLooking { (clientMode, serverMode) = (.lost, .lost) }
    self.opening = opening
  }

  public mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if isPassing && hasBegun(delivery) { return above.receive(bytes, delivery, listener) }
    var at = 0
    while at < bytes.byteCount {
      var rest = delivery
      rest.origin.offset &+= UInt64(at)
      if at > 0 { rest.edges.remove(.start) }
      let span = bytes.dropping(at)
      at += step(span, rest, listener)
    }
  }

  public mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    let isClient = delivery.origin.direction == .toServer
    settleStart(isClient, delivery, listener)
    if isPassing {
      // If the end of the request has not come yet, it is lost in the gap.
      if isClient { clientMode = .passing }
      return above.gap(missing, delivery, listener)
    }
    // Nothing known can be lost. Handing over would never end: the next layer chose this one
    // because of a head after the gap.
    if isLooking {
      if isClient { hasClientGap = true }
      return
    }
    if case .waiting = clientMode {
      if isClient { return held.append(gap: missing, delivery) }
      serverFeed?.gap(missing, delivery, listener)
      // The answer to the upgrade may be lost in the gap; this shows when either side goes on.
      if !held.isEmpty && !delivery.edges.contains(.more) {
        handOver(delivery, listener)
        return above.gap(missing, delivery, listener)
      }
      if case .unsure(let before, let first) = serverMode {
        serverMode = .unsure(before.flatMap { old in missing.map { old + $0 } }, first)
      } else if case .body(var body) = serverMode, let missing,
        case (true, let isOver) = body.passOver(missing)
      {
        serverMode = isOver ? .head : .body(body)
        if isOver { endBody(.lost, false, delivery, listener) }
      } else {
        serverHead = HeadReader(limits)
        serverMode = .unsure(missing, delivery)
      }
      return
    }
    if bridge(missing, isClient, delivery, listener) { return }
    if case .body(var body) = isClient ? clientMode : serverMode, let missing {
      let (isKnown, isOver) = body.passOver(missing)
      if isKnown { return set(isOver ? .head : .body(body), isClient) }
    }
    // A head may be lost in the gap, and an upgrade with it.
    handOver(delivery, listener)
    above.gap(missing, delivery, listener)
  }

  public mutating func finish(
    _ ending: Ending, _ delivery: Delivery, _ listener: any Listener
  ) {
    if firstEnd == nil && ending != .endOfEvidence { firstEnd = delivery.origin }
    for isClient in [true, false]
    where ending != .half || isClient == (delivery.origin.direction == .toServer) {
      settleStart(isClient, delivery, listener)
    }
    if !isPassing { endBodies(ending, delivery, listener) }
    if !isPassing, case .waiting = clientMode {
      if ending == .half && delivery.origin.direction == .toServer {
        return held.append(half: delivery)
      }
      // Each side ends, and then both.
      if !isUnsure, !isUpgradeOver, let upgrade = asked.last?.upgrade {
        isUpgradeOver = true
        listener.finding(upgrade.unanswered(by: opening, ending, delivery.origin))
      }
      if isUnsure || !held.hasOnlyEnd { handOver(delivery, listener) }
    }
    above.finish(ending, delivery, listener)
  }

  public var settlement: Settlement {
    mutating get {
      if isPassing, case .passing = clientMode { return .by(above) }
      return .notYet
    }
  }

  /// Takes bytes of the current part of one side; returns how many.
  private mutating func step(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) -> Int {
    let isClient = delivery.origin.direction == .toServer
    switch isClient ? clientMode : serverMode {
    case .passing:
      above.receive(bytes, delivery, listener)
      return bytes.byteCount
    case .waiting where isUnsure:
      // The client goes on, so it has got an answer.
      handOver(delivery, listener)
      return 0
    case .waiting:
      hold(bytes, delivery, listener)
      return bytes.byteCount
    case .lost where isClient && mayBeTunnel && delivery.edges.contains(.start):
      tunnel(delivery, listener)
      return 0
    case .lost, .unsure: return look(bytes, isClient, delivery, listener)
    case .body(let body) where (isClient ? clientFeed : serverFeed) != nil:
      return feed(body, bytes, isClient, delivery, listener)
    case .body(var body):
      let (count, isOver) = body.pass(bytes)
      listener.account(.http, count)
      set(isOver ? .head : .body(body), isClient)
      return count
    case .head:
      var part = bytes
      if isClient, isPassing, clientHead.isBetweenHeads {
        // Instead of a late request, frames may come: their first byte shows it.
        let octet = bytes.byte(at: 0)
        if !clientHead.mayBegin(with: octet) {
          clientMode = .passing
          return 0
        }
        if octet == .lineFeed || octet == .carriageReturn { part = bytes.extracting(0..<1) }
      }
      let limit = limits.headBytes
      let (count, outcome) =
        isClient
        ? clientHead.read(part, limit: limit) : serverHead.read(part, limit: limit)
      listener.account(.http, count)
      switch outcome {
      case .needsMore: break
      case .tooLarge:
        listener.finding(
          .badHead, .warning, delivery.origin,
          "an HTTP head is larger than \(limit) bytes, or is not HTTP;"
            + " what follows is passed over")
        set(.lost, isClient)
      case .noRoom:
        listener.finding(
          .badHead, .warning, delivery.origin,
          "an HTTP head is given up, as \(Reservation.shortage); what follows is passed over")
        set(.lost, isClient)
      case .head(let head) where isClient: request(head, delivery, listener)
      case .head(var head):
        var end = delivery
        end.origin.offset &+= UInt64(count)
        if !head.isResponse && !restore(&head, end, listener) { return count }
        response(head, end, listener)
      }
      return count
    }
  }

  var isWaiting: Bool {
    if case .waiting = clientMode { return true }
    return false
  }

  /// What the client sends is passed over until a head is found: behind a gap, for example.
  var isClientLost: Bool {
    if case .lost = clientMode { return true }
    return false
  }

  var isUnsure: Bool {
    if case .unsure = serverMode { return true }
    return false
  }

  /// Whether this side's frames have begun: the request may be captured after its answer.
  private func hasBegun(_ delivery: Delivery) -> Bool {
    if case .passing = delivery.origin.direction == .toServer ? clientMode : serverMode {
      return true
    }
    return false
  }

  /// A head that was partly read is useless after a gap.
  mutating func forgetHead(_ isClient: Bool) {
    if isClient {
      clientHead = HeadReader(limits)
    } else {
      serverHead = HeadReader(limits)
    }
  }

  mutating func set(_ mode: Mode, _ isClient: Bool) {
    if isClient { clientMode = mode } else { serverMode = mode }
  }

  private mutating func request(
    _ head: Head, _ delivery: Delivery, _ listener: any Listener
  ) {
    if isPassing {
      listener.count(.httpRequest, 1)
      clientMode = .passing
      return
    }
    var request = OpenRequests.Asked(
      head, Upgrade(request: head, isSecure: opening.security != nil), delivery.origin)
    // Servers need not change to what is offered (RFC 9110 §7.8), and answer as usual then.
    let reader =
      request.upgrade == nil
      ? chooser.reader(of: head, on: opening, delivery.origin, listener) : nil
    let body = Body.after(head, answering: nil)
    (request.reader, request.hasBody) = (reader, body != nil)
    let mayChange = request.mayChange
    mayHaveLostRequests = false
    let isOfSession =
      reader.map { $0.continuesSession }
      ?? request.upgrade.map { chooser.hasSession(for: $0, on: opening) } ?? false
    if !isOfSession { listener.count(.httpRequest, 1) }
    if !asked.add(request) { reportRequests(delivery, listener) }
    if let reader {
      reportUnasked(delivery, listener)
      lastReader = reader
      clientFeed = BodyFeed(reader, head, mayHaveMessages: true)
    }
    if let body {
      clientMode = .body(body)
    } else {
      if clientFeed != nil { endBody(.whole, true, delivery, listener) }
      if mayChange { clientMode = .waiting }
    }
  }

  private mutating func reportRequests(_ delivery: Delivery, _ listener: any Listener) {
    if hasReportedRequests { return }
    hasReportedRequests = true
    listener.finding(
      .tooManyRequests, .note, delivery.origin,
      "\(opening.client) → \(opening.server): more than \(limits.pipelinedRequests) requests wait"
        + " for their answers; where the body of one of the others' answers ends may be misread")
  }

  private mutating func response(
    _ head: Head, _ delivery: Delivery, _ listener: any Listener
  ) {
    let status = head.status ?? 0
    // RFC 9110 §15.2: informational responses precede the final one; only 101 changes the protocol.
    if status / 100 == 1 && status != 101 { return }
    if mayHaveLostAnswers {
      mayHaveLostAnswers = false
      // Once bytes of both sides are missing, the answer may be to a request that was lost.
      let lost =
        mayHaveLostRequests ? asked.takeAll() : asked.keepLast(before: delivery.origin)
      endExchanges(lost, .lost, delivery, listener)
    }
    if Upgrade.isAccepted(by: head, isAsked: asked.hasUpgrade) {
      // Answers to earlier requests may be lost in a gap.
      let request = asked.upgrade
      endExchanges(asked.takeAll(), .lost, delivery, listener)
      return accept(head, request, delivery, listener)
    }
    let isUnasked = mayBeUnasked
    let request = asked.next()
    // The connection changes to another protocol (RFC 9110 §7.8).
    if status == 101 && request?.upgrade == nil {
      return change(after: request, head, delivery, listener)
    }
    if request?.method == .connect && status / 100 == 2 { return tunnel(delivery, listener) }
    if let upgrade = request?.upgrade { refuse(upgrade, by: head, delivery, listener) }
    if let request, let reader = request.reader {
      reader.answered(
        status: status, contentType: head.value("content-type") ?? [], delivery, listener)
      serverFeed = BodyFeed(
        reader, head, mayHaveMessages: status / 100 == 2 && !request.hasBody)
    }
    serverMode = Body.after(head, answering: request?.method).map { .body($0) } ?? .head
    if isUnasked, case .body = serverMode { noteUnasked(delivery, listener) }
    // A client that does not wait for the end of such an answer did not ask for a body.
    if request == nil, status / 100 == 2, isClientLost, case .body(let body) = serverMode {
      mayBeTunnel = body.lastsUntilClose
    }
    if serverFeed != nil, case .head = serverMode {
      endBody(.whole, false, delivery, listener)
    }
    if request?.mayChange == true && isWaiting { continueStream(listener) }
  }
}
