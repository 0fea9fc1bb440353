// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Where a head is looked for: it begins a segment.
extension HTTPLayer {
  /// Takes what is no head; answers how many bytes that is. None when one begins, or when another
  /// layer has taken over.
  mutating func look(
    _ bytes: RawSpan, _ isClient: Bool, _ delivery: Delivery, _ listener: any Listener
  ) -> Int {
    let begins =
      isClient ? starts.client.look(bytes, delivery) : starts.server.look(bytes, delivery)
    guard let begins else {
      if delivery.edges.contains(.end) { settleStart(isClient, delivery, listener) }
      return bytes.byteCount
    }
    if begins == .head {
      find(isClient, delivery, listener)
      return 0
    }
    if case .unsure = isClient ? clientMode : serverMode {
      handOver(delivery, listener)
      return 0
    }
    settleStart(isClient, delivery, listener)
    listener.account(.unread, bytes.byteCount)
    return bytes.byteCount
  }

  /// A head begins with what is held.
  private mutating func find(
    _ isClient: Bool, _ delivery: Delivery, _ listener: any Listener
  ) {
    if case .unsure = isClient ? clientMode : serverMode {
      // Earlier requests may have been answered in the gap.
      asked.keepLast()
    }
    isLooking = false
    set(.head, isClient)
    let start = takeStart(isClient: isClient)
    if !isClient && mayHaveLostAnswers {
      mayHaveLostAnswers = false
      endExchanges(asked.keepLast(before: delivery.origin), .lost, delivery, listener)
    }
    if let first = start.first { receive(start.octets.bytes, first, listener) }
  }

  /// What is held begins no head: the segment ends, or goes on otherwise, or a hole follows.
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

  /// What the server sends where a head should be is none, or begins with what belongs to something
  /// else: a body that is longer than was said. Answers whether the rest is one.
  mutating func restore(
    _ head: inout Head, _ delivery: Delivery, _ listener: any Listener
  ) -> Bool {
    let skipped = head.dropBeginning()
    listener.finding(
      Finding(
        .badHead, .warning, delivery.origin,
        skipped.map {
          "\($0 == 1 ? "1 byte stands" : "\($0) bytes stand") before an HTTP response and"
            + " \($0 == 1 ? "belongs" : "belong") to none, as behind a body that is longer than"
            + " its Content-Length says"
        } ?? "what the server sends where an HTTP head should be is none; it is passed over"))
    if skipped == nil { serverMode = .lost }
    return skipped != nil
  }
}
