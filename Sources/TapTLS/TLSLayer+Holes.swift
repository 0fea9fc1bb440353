// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Handles gaps, and records that cannot be decrypted.
extension TLSLayer {
  private static let noHandshake = "its handshake was not captured, which says how it is encrypted"
  private static let searchedAtOnce = 32 << 10

  /// Bytes of one direction are missing.
  ///
  /// - Parameter isCaptured: the bytes were captured but dropped, which is reported already.
  mutating func miss(
    _ missing: Int?, isCaptured: Bool = false, _ delivery: Delivery, _ listener: any Listener
  ) {
    let direction = delivery.origin.direction
    if halves[direction].search != nil {
      readToEnd(delivery, listener)
      if let count = halves[direction].search?.count {
        // Another gap, before a record was found after the last one.
        if count > 0 { listener.account(.incomplete, count) }
        halves[direction].search!.drop(missing: missing)
        return
      }
    }
    let isPlain = halves[direction].stage == .plain
    switch halves[direction].records.skip(missing, isPlain: isPlain) {
    case .inBroken: return
    case .inRecord(let record, let carried):
      listener.account(.incomplete, carried)
      let half = halves[direction]
      halves[direction].skipRecord()
      if !isCaptured {
        report.reportBroken(record, missing: missing ?? 0, delivery.origin, listener)
      }
      if half.protection.sequence >= half.firstApplication(isTLS13: handshake.isTLS13) {
        content.lose(delivery, listener)
      }
      // Early data may have waited for the server's answer to it.
      if !waiting.isEmpty { release(listener) }
    case .beyond(let carried):
      if carried > 0 { listener.account(.incomplete, carried) }
      halves[direction].search = RecordSearch(
        missing: missing, due: halves[direction].protection.sequence)
      sealIfHopeless(delivery, listener)
    }
  }

  /// Takes bytes while record boundaries are not known; returns how many were taken.
  mutating func search(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) -> Int {
    let direction = delivery.origin.direction
    if !opening.isFromStart && handshake.version == nil {
      sealIfHopeless(delivery, listener)
      if halves[direction].isSealed { return 0 }
      report.reportOnce(
        .handshakeMissing, .note, delivery.origin, listener,
        "\(handshake.words) is opened by trying, as \(Self.noHandshake)")
    }
    // Take only enough to contain a record, as another search may begin after it.
    let count = min(bytes.byteCount, Self.searchedAtOnce)
    var part = delivery
    if count < bytes.byteCount { part.edges.remove(.end) }
    halves[direction].search!.append(bytes.extracting(0..<count), part)
    if resume(isEnd: false, delivery, listener) { return count }
    guard let search = halves[direction].search else { return count }
    let isOver =
      search.isExhausted || search.cost > limits.resyncBytes
      || !halves[direction].records.room.reserve(search.cost)
    if isOver && !resume(isEnd: true, delivery, listener) { giveUpSearch(delivery, listener) }
    return count
  }

  /// Without any secret, a search is pointless.
  private mutating func sealIfHopeless(_ delivery: Delivery, _ listener: any Listener) {
    if secrets.isExpected && handshake.obstacle == nil { return }
    report.reportClosed(
      .handshakeMissing, .note, handshake, delivery.origin, listener,
      "stays closed: \(Self.noHandshake)")
    let direction = delivery.origin.direction
    (halves[direction].search, halves[direction].isSealed) = (nil, true)
    content.lose(delivery, listener)
  }

  /// Searches for a record in the held bytes; if found, the bytes from there on are in `found`.
  private mutating func resume(
    isEnd: Bool, _ delivery: Delivery, _ listener: any Listener
  ) -> Bool {
    let direction = delivery.origin.direction
    let record = halves[direction].find(isEnd: isEnd, schedule, opened: content.count)
    guard let record, let search = halves[direction].search.take() else { return false }
    take(record, search, delivery, listener)
    found.append(FoundOctets(search, from: record.offset))
    return true
  }

  /// Reads the found bytes until only `base` entries of `found` are left.
  mutating func readFound(above base: Int, _ listener: any Listener) {
    while found.count > base, var octets = found.popLast() {
      let depth = found.count
      if let (range, delivery) = octets.next {
        octets.skip(step(octets.store.bytes.extracting(range), delivery, listener))
        // Bytes found within them come before the rest.
        found.insert(octets, at: depth)
      }
    }
  }

  /// No more bytes for now: reads every record that can be found in the held bytes.
  private mutating func readToEnd(_ delivery: Delivery, _ listener: any Listener) {
    let base = found.count
    while halves[delivery.origin.direction].search != nil,
      resume(isEnd: true, delivery, listener)
    {
      readFound(above: base, listener)
    }
  }

  /// A record was decrypted, so boundaries, keys and numbers are known from here on.
  private mutating func take(
    _ found: RecordSearch.Found, _ search: RecordSearch, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    if found.offset > 0 { listener.account(.incomplete, found.offset) }
    handshake.assume(found.candidate)
    let direction = delivery.origin.direction
    let isMidstream =
      search.missing == nil && !opening.isFromStart && halves[direction].protection.keys == nil
    let hasLost = found.isBehindLoss(
      halves[direction], search, handshake, isMidstream: isMidstream)
    halves[direction].resume(at: found)
    let resumed = search.place(of: found.offset) ?? delivery
    report.reportFound(found, search, halves[direction].who, resumed.origin, listener)
    if hasLost {
      var more = delivery
      more.edges = .more
      content.lose(more, listener)
    }
    enterHandshake()
    if !waiting.isEmpty { release(listener) }
  }

  /// No more bytes will come for a search.
  mutating func endSearch(_ delivery: Delivery, _ listener: any Listener) {
    readToEnd(delivery, listener)
    if halves[delivery.origin.direction].search != nil { giveUpSearch(delivery, listener) }
  }

  /// The search ended without a record.
  private mutating func giveUpSearch(_ delivery: Delivery, _ listener: any Listener) {
    let direction = delivery.origin.direction
    guard let search = halves[direction].search.take() else { return }
    halves[direction].isSealed = true
    if search.count > 0 { listener.account(.sealed, search.count) }
    halves[direction].records.room.giveBack()
    if !search.candidates.isEmpty || search.isExhausted {
      report.reportNothingFound(
        search, isOwnLimit: halves[direction].trials.isUsedUp, halves[direction].who,
        delivery.origin, listener)
    } else if handshake.isSettled {
      reportKeyMissing(delivery, listener)
    } else {
      report.reportHelloMissing(handshake, delivery.origin, listener)
    }
    content.lose(delivery, listener)
  }

  /// A record could not be decrypted, although nothing is missing before it.
  mutating func missRecord(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    listener.account(.sealed, bytes.byteCount)
    let direction = delivery.origin.direction
    let protection = halves[direction].protection
    if protection.isUnsure && !protection.hasOpened {
      if direction == .toServer && handshake.offersEarlyData {
        loseEarlyData(delivery, listener)
      }
      return
    }
    report.reportUnopened(halves[direction].who, delivery.origin, listener)
    if protection.hasOpened {
      halves[direction].search = RecordSearch(
        missing: bytes.byteCount, due: protection.sequence)
      return
    }
    let miss = halves[direction].protection.miss(isTLS13: handshake.isTLS13)
    if miss.isLast { halves[direction].isSealed = true }
    if miss.isLoss { content.lose(delivery, listener) }
  }
}
