// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// The connections that the events of a browser tell of. What is said on them is held, as what
/// their times count from may be said later.
struct BrowserConnections {
  private let place: Place
  private let limits: Limits
  private var queue: ExportQueue
  private var clock = BrowserClock()
  private var open: [BrowserEvent.Name: BrowserConnection] = [:]
  private var count: UInt64 = 0
  /// Where the first event stands that is held.
  private(set) var waiting: UInt64?
  private var hasReleased = false
  /// When the last event was.
  private var last: ExportTime?

  init(_ place: Place, _ limits: Limits) {
    (self.place, self.limits, queue) = (place, limits, ExportQueue(place, limits))
  }

  mutating func take(_ event: inout BrowserEvent, _ sink: any EvidenceSink) {
    let shift = clock.take(event, mayMove: !hasReleased)
    if shift != 0 && waiting != nil { queue.shift(by: shift) }
    guard let kind = event.kind else { return }
    event.message.time = clock.time(event)
    last = event.message.time
    switch kind {
    case .created:
      if open[event.name] != nil { end(event, isUnfinished: true, sink) }
      with(event, sink) { $0.heads.url = event.heads.url }
    case .handshakeSent:
      with(event, sink) {
        $0.isAsked = true
        $0.heads.take(event.heads, ofResponse: false)
      }
    case .handshakeReceived:
      with(event, sink) { $0.heads.take(event.heads, ofResponse: true) }
      if open[event.name]!.heads.isAccepted { begin(event, sink) } else { refuse(event) }
    case .frameSent: pass(&event, .toServer, sink)
    case .frameReceived, .eventReceived: pass(&event, .toClient, sink)
    case .frameError: report(event, sink)
    case .closed: end(event, sink)
    case .requested:
      if event.resource.elementsEqual("EventSource".utf8) {
        with(event, sink) { ($0.isOfEvents, $0.heads.url) = (true, event.heads.url) }
      } else if event.heads.url.starts(with: "http".utf8) {
        sink.count(.httpRequest, 1)
      }
    case .finished, .failed: if open[event.name] != nil { end(event, sink) }
    }
    if queue.isFull { release(sink) }
  }

  mutating func finish(_ sink: any EvidenceSink) {
    for connection in open.values where connection.flow == 0 { count(connection, sink) }
    release(sink)
  }

  mutating func release(_ sink: any EvidenceSink) {
    hasReleased = hasReleased || waiting != nil
    waiting = nil
    queue.release(sink)
  }

  // MARK: - Connections

  private mutating func with(
    _ event: borrowing BrowserEvent, _ sink: any EvidenceSink,
    _ change: (inout BrowserConnection) -> Void
  ) {
    if open[event.name] == nil {
      if open.count >= limits.connections { evict(event, sink) }
      count += 1
      open[event.name] = BrowserConnection(number: count)
    }
    change(&open[event.name]!)
  }

  /// There are too many: the oldest go, an eighth at once.
  private mutating func evict(_ event: borrowing BrowserEvent, _ sink: any EvidenceSink) {
    let oldest = open.sorted { $0.value.number < $1.value.number }.prefix(max(1, open.count / 8))
    for (name, connection) in oldest {
      open[name] = nil
      close(connection, Closing(isUnfinished: true), event, sink)
    }
    queue.finding(0, .evicted(oldest.count, limits, origin(event)), .unknown, 0)
  }

  /// Its conversation is opened, if it is not.
  private mutating func begin(_ event: borrowing BrowserEvent, _ sink: any EvidenceSink) {
    with(event, sink) { _ in }
    if open[event.name]!.flow > 0 { return }
    let flow = queue.begin()
    open[event.name]!.flow = flow
    hold(event)
    queue.open(flow, open[event.name]!.opening, event.message.time, at: event.offset)
  }

  private mutating func end(
    _ event: borrowing BrowserEvent, isUnfinished: Bool = false, _ sink: any EvidenceSink
  ) {
    guard let connection = open.removeValue(forKey: event.name) else { return }
    close(connection, Closing(isUnfinished: isUnfinished), event, sink)
  }

  private mutating func close(
    _ connection: BrowserConnection, _ closing: Closing, _ event: borrowing BrowserEvent,
    _ sink: any EvidenceSink
  ) {
    if connection.flow == 0 { return count(connection, sink) }
    hold(event)
    var closing = closing
    // Of CLOSE frames, browsers say nothing.
    closing.endsWithFrame = false
    queue.close(connection.flow, closing, event.message.time, at: event.offset)
  }

  /// One that no conversation came of is a request, if nothing more.
  private func count(_ connection: BrowserConnection, _ sink: any EvidenceSink) {
    if connection.isAsked || connection.isOfEvents { sink.count(.httpRequest, 1) }
  }

  private mutating func hold(_ event: borrowing BrowserEvent) {
    if waiting == nil { waiting = event.offset }
  }

  /// What is wrong with the text behind the last event.
  mutating func note(_ finding: Finding) {
    if waiting == nil { waiting = finding.origin.offset }
    var timed = finding
    timed.origin.time = last?.instant ?? .unknown
    queue.finding(0, timed, .unknown, last?.digits ?? 0)
  }

  // MARK: - What they say

  private mutating func pass(
    _ event: inout BrowserEvent, _ direction: Direction, _ sink: any EvidenceSink
  ) {
    begin(event, sink)
    let flow = open[event.name]!.flow
    let outcome: ExportedMessage.Outcome =
      if let length = event.length {
        .trouble(
          .exportMessageTooLarge,
          "an event of \(length) bytes is larger than the limit; its message is not shown")
      } else {
        event.message.read(limits)
      }
    switch outcome {
    case .message(let opcode):
      let source = ExportQueue.Source(
        flow: flow, direction: direction, time: event.message.time, record: event.record,
        offset: event.offset)
      hold(event)
      queue.message(opcode, event.message.content.bytes, source)
    case .trouble(let code, let text):
      var finding = Finding(code, .warning, origin(event), text)
      finding.lostMessages = 1
      give(finding, flow, direction, event)
    }
  }

  /// A connection has failed, or its handshake.
  private mutating func report(_ event: borrowing BrowserEvent, _ sink: any EvidenceSink) {
    with(event, sink) { _ in }
    let flow = open[event.name]!.flow
    if flow == 0 {
      open[event.name]!.take(error: event.error)
      if refuse(event) { return }
    }
    let name = open[event.name]!.name
    let words = String(decoding: event.error, as: Unicode.UTF8.self)
    let finding = Finding(
      .exportConnectionError, .warning, origin(event),
      "the browser reports an error of \(name): \(words)")
    give(finding, flow, .unknown, event)
  }

  /// Whether a server has refused.
  @discardableResult private mutating func refuse(_ event: borrowing BrowserEvent) -> Bool {
    let connection = open[event.name]!
    guard let text = connection.heads.refusal(of: connection.name) else { return false }
    give(Finding(.exportRefused, .warning, origin(event), text), 0, .unknown, event)
    return true
  }

  private mutating func give(
    _ finding: Finding, _ flow: UInt32, _ direction: Direction, _ event: borrowing BrowserEvent
  ) {
    hold(event)
    queue.finding(flow, finding, direction, event.message.time?.digits ?? 0)
  }

  private func origin(_ event: borrowing BrowserEvent) -> Origin {
    place.origin(
      event.offset, record: event.record, event.message.time?.instant ?? .unknown)
  }
}
