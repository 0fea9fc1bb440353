// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Searches for a head, which begins a segment.
extension HTTPLayer {
  /// Takes bytes that are not part of a head; returns how many. 0 when a head begins, or when
  /// another layer has taken over.
  mutating func look(
    _ bytes: RawSpan, _ isClient: Bool, _ delivery: Delivery, _ listener: any Listener
  ) -> Int {
    let begins =
      isClient
      ? starts.client.look(bytes, delivery)
      : starts.server.look(bytes, delivery, mayBeChunk: mayBeAnswered)
    guard let begins else {
      if delivery.edges.contains(.end) { settleStart(isClient, delivery, listener) }
      return bytes.byteCount
    }
    switch begins {
    case .head:
      beginHead(isClient, listener)
      return 0
    case .chunk:
      beginChunk(delivery, listener)
      return 0
    case .neither: break
    }
    if mayBeUpgraded(isClient, bytes, delivery) {
      handOver(delivery, listener)
      return 0
    }
    settleStart(isClient, delivery, listener)
    listener.account(.unread, bytes.byteCount)
    return bytes.byteCount
  }

  /// A head begins with the bytes that are held.
  private mutating func beginHead(_ isClient: Bool, _ listener: any Listener) {
    if case .unsure = isClient ? clientMode : serverMode {
      // Answers to earlier requests may be lost in the gap.
      asked.keepLast()
    }
    isLooking = false
    set(.head, isClient)
    let start = takeStart(isClient: isClient)
    if let first = start.first { receive(start.octets.bytes, first, listener) }
  }

  /// The head of the answer to a request that a dialect reads may be lost, and its body be there.
  private var mayBeAnswered: Bool {
    if case .lost = serverMode { return !mayHaveLostRequests && asked.last?.reader != nil }
    return false
  }

  /// A chunk begins with the bytes that are held, of an answer whose head is lost. It is read as
  /// one that succeeded: what reports a failure is short, and seldom comes in chunks.
  private mutating func beginChunk(_ delivery: Delivery, _ listener: any Listener) {
    mayHaveLostAnswers = false
    endExchanges(asked.keepLast(before: delivery.origin), .lost, delivery, listener)
    let start = takeStart(isClient: false)
    if let request = asked.next(), let reader = request.reader {
      reader.answered(status: 200, contentType: [], delivery, listener)
      serverFeed = BodyFeed(reader, Head(), mayHaveMessages: !request.hasBody)
    }
    serverMode = .body(.chunks)
    if let first = start.first { receive(start.octets.bytes, first, listener) }
  }

  /// Whether what begins no head may be of another protocol: the request that led to it, or its
  /// answer, may be lost in a gap. Behind a lost request, this may also be the body of one, which
  /// is text where a dialect reads it; a frame of WebSocket begins with what no text begins with.
  private func mayBeUpgraded(_ isClient: Bool, _ bytes: RawSpan, _ delivery: Delivery) -> Bool {
    switch isClient ? clientMode : serverMode {
    case .unsure: return true
    case .lost where mayHaveLostRequests && delivery.edges.contains(.start):
      let octet = bytes.byte(at: 0)
      return octet < .space && !octet.isJSONSpace || octet >= 0x80
    default: return false
    }
  }

  /// The held bytes do not begin a head: the segment ends, continues differently, or a gap follows.
  mutating func settleStart(
    _ isClient: Bool, _ delivery: Delivery, _ listener: any Listener
  ) {
    if (isClient ? starts.client : starts.server).first == nil { return }
    if case .unsure = isClient ? clientMode : serverMode { return handOver(delivery, listener) }
    var fate = Fate.unread
    if case .body = isClient ? clientMode : serverMode { fate = .incomplete }
    listener.account(fate, takeStart(isClient: isClient).octets.count)
  }

  mutating func takeStart(isClient: Bool) -> HeadStart {
    let start = isClient ? starts.client : starts.server
    if isClient { starts.client = HeadStart() } else { starts.server = HeadStart() }
    return start
  }

  /// The server sent something other than a head, or a head that follows other bytes, such as the
  /// rest of a body that is longer than announced. Returns whether there is a head.
  mutating func restore(
    _ head: inout Head, _ delivery: Delivery, _ listener: any Listener
  ) -> Bool {
    let skipped = head.dropBeginning()
    listener.finding(
      .badHead, .warning, delivery.origin,
      skipped.map {
        "\($0 == 1 ? "1 byte stands" : "\($0) bytes stand") before an HTTP response and"
          + " \($0 == 1 ? "belongs" : "belong") to none, as behind a body that is longer than"
          + " its Content-Length says"
      } ?? "where an HTTP head should be, the server sends something else; it is passed over")
    if skipped == nil { serverMode = .lost }
    return skipped != nil
  }
}
