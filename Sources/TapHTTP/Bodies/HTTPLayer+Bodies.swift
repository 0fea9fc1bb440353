// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Bodies that dialects read.
extension HTTPLayer {
  /// Takes the next bytes of a body; returns how many.
  mutating func feed(
    _ body: Body, _ bytes: RawSpan, _ isClient: Bool, _ delivery: Delivery,
    _ listener: any Listener
  ) -> Int {
    if body.isSearching { return look(forEndOf: body, bytes, isClient, delivery, listener) }
    var body = body
    var feed = isClient ? clientFeed : serverFeed
    var content = 0
    let (count, isOver) = body.pass(bytes) { range in
      content += range.count
      var part = delivery.advanced(by: range.start)
      if range.end < bytes.byteCount { part.edges.remove(.end) }
      feed?.receive(bytes[range], part, listener)
    }
    listener.account(.http, count - content)
    if isClient { clientFeed = feed } else { serverFeed = feed }
    if isOver {
      set(.head, isClient)
      endBody(.whole, isClient, delivery, listener)
    } else {
      set(.body(body), isClient)
    }
    return count
  }

  /// After a gap that contains the end of a chunk: searches for the next chunk or head, which
  /// begins a segment. Returns how many bytes were skipped or are held; 0 when a chunk or a head
  /// begins.
  private mutating func look(
    forEndOf body: Body, _ bytes: RawSpan, _ isClient: Bool, _ delivery: Delivery,
    _ listener: any Listener
  ) -> Int {
    let beginning =
      isClient
      ? starts.client.look(bytes, delivery, mayBeChunk: true)
      : starts.server.look(bytes, delivery, mayBeChunk: true)
    switch beginning {
    case nil:
      if delivery.edges.contains(.end) { settleStart(isClient, delivery, listener) }
      return bytes.byteCount
    case .neither:
      settleStart(isClient, delivery, listener)
      listener.account(.incomplete, bytes.byteCount)
      return bytes.byteCount
    case .head:
      let start = takeStart(isClient: isClient)
      set(.head, isClient)
      endBody(.lost, isClient, delivery, listener)
      if let first = start.first { receive(start.octets.bytes, first, listener) }
    case .chunk:
      let start = takeStart(isClient: isClient)
      var resumed = body
      resumed.resume()
      set(.body(resumed), isClient)
      if let first = start.first { receive(start.octets.bytes, first, listener) }
    }
    return 0
  }

  /// The body of one side has ended, or there is none.
  mutating func endBody(
    _ how: HTTPBodyEnd, _ isClient: Bool, _ delivery: Delivery, _ listener: any Listener
  ) {
    var end = delivery
    end.origin.direction = isClient ? .toServer : .toClient
    var feed = isClient ? clientFeed : serverFeed
    if isClient { clientFeed = nil } else { serverFeed = nil }
    feed?.end(how, end, listener)
  }

  /// Handles a gap in a connection whose exchanges a dialect reads. False when none does, or when
  /// the gap may contain the answer to an upgrade.
  mutating func bridge(
    _ missing: Int?, _ isClient: Bool, _ delivery: Delivery, _ listener: any Listener
  ) -> Bool {
    guard let lastReader else { return false }
    if case .body(var body) = isClient ? clientMode : serverMode {
      let isFed = (isClient ? clientFeed : serverFeed) != nil
      let (isKnown, isOver) = missing.map { body.passOver($0) } ?? (false, false)
      if isFed && (isKnown || body.isChunked) {
        if !isKnown {
          body.search()
          // The next chunk may be of a later answer, unless there is no room for its head.
          if !isClient && missing ?? .max >= Head.least { mayHaveLostAnswers = true }
        }
        if isClient {
          clientFeed?.gap(missing, delivery, listener)
        } else {
          serverFeed?.gap(missing, delivery, listener)
        }
        set(isOver ? .head : .body(body), isClient)
        if isOver { endBody(.lost, isClient, delivery, listener) }
        return true
      }
      if isKnown {
        set(isOver ? .head : .body(body), isClient)
        return true
      }
    }
    if asked.upgrade != nil { return false }
    // Whole requests or answers may be lost in the gap, and messages in them.
    endBody(.lost, isClient, delivery, listener)
    lastReader.gap(missing, delivery, listener)
    if isClient { mayHaveLostRequests = true } else { mayHaveLostAnswers = true }
    forgetHead(isClient)
    set(.lost, isClient)
    return true
  }

  /// The connection continues with another protocol: unfinished bodies will not be completed.
  mutating func dropBodies(_ delivery: Delivery, _ listener: any Listener) {
    endBody(.lost, true, delivery, listener)
    endBody(.lost, false, delivery, listener)
    endExchanges(asked.takeReaders(), .lost, delivery, listener)
  }

  /// The answers to these requests were not captured.
  func endExchanges(
    _ readers: [any HTTPExchangeReader], _ how: HTTPBodyEnd, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    var end = delivery
    end.origin.direction = .toClient
    for reader in readers { reader.end(how, end, listener) }
  }

  /// The connection has ended, in one direction or both, or the evidence has.
  mutating func endBodies(
    _ ending: Ending, _ delivery: Delivery, _ listener: any Listener
  ) {
    if lastReader == nil { return }
    let how: HTTPBodyEnd =
      firstEnd.map { .cutOff(by: $0.direction, at: $0.time) } ?? .unfinished
    let isServerDone = ending != .half || delivery.origin.direction == .toClient
    if ending != .half || delivery.origin.direction == .toServer {
      endBody(how, true, delivery, listener)
    }
    guard isServerDone else { return }
    var isWhole = false
    if case .body(let body) = serverMode, body.lastsUntilClose {
      isWhole = ending == .half || ending == .closed
    }
    endBody(isWhole ? .whole : how, false, delivery, listener)
    endExchanges(asked.takeReaders(), how, delivery, listener)
  }
}
