// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// What is done about holes, and about records that do not open.
extension TLSLayer {
  /// Bytes of one direction are missing.
  ///
  /// - Parameter isCaptured: they were given up, which is told.
  mutating func miss(
    _ missing: Int?, isCaptured: Bool = false, _ delivery: Delivery, _ listener: any Listener
  ) {
    if isSearching(delivery) {
      readToEnd(delivery, listener)
      if isSearching(delivery) { return dropSearched(missing, delivery, listener) }
    }
    let half = half(delivery)
    let carried = half.carry.count
    if half.stage != .plain, let missing,
      half.brokenLeft >= missing && missing > 0 && half.brokenLeft > 0
    {
      return with(delivery) { $0.brokenLeft -= missing }
    }
    if half.stage != .plain, let missing, let record = Record.parse(half.carry.bytes, at: 0),
      record.size - carried >= missing
    {
      return breakRecord(record, missing, isCaptured, delivery, listener)
    }
    if carried > 0 { listener.account(.incomplete, carried) }
    with(delivery) { half in
      half.carry.removeAll()
      half.brokenLeft = 0
      half.search = RecordSearch(missing: missing, due: half.sequence)
    }
    sealIfHopeless(delivery, listener)
  }

  /// The hole lies within one record, whose end is known: that one stays closed.
  private mutating func breakRecord(
    _ record: Record, _ missing: Int, _ isCaptured: Bool, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    let half = half(delivery)
    let carried = half.carry.count
    listener.account(.incomplete, carried)
    with(delivery) { half in
      half.carry.removeAll()
      half.brokenLeft = record.size - carried - missing
      half.sequence &+= 1
      half.hasLostMessages = half.stage == .handshake
    }
    if !isCaptured {
      listener.finding(
        Finding(
          .recordIncomplete, .warning, delivery.origin,
          "\(counted(missing, "byte")) of a TLS record of \(counted(record.size, "byte")) were"
            + " not captured, and so it stays closed"))
    }
    if half.sequence >= firstApplication(half.stage) { lose(delivery, listener) }
    // Early data may have waited for what the server says of them.
    if !held.isEmpty { release(listener) }
  }

  /// The number of the first record of a stage that can carry something for the layer above: of
  /// TLS 1.2 the Finished is number 0 (RFC 5246 §7.4.9).
  func firstApplication(_ stage: Half.Stage) -> UInt64 {
    if stage == .plain || stage == .handshake { return .max }
    return session.isTLS13 ? 0 : 1
  }

  /// Tells the layer above that something is missing, or that it was, once there is one.
  mutating func lose(_ delivery: Delivery, _ listener: any Listener) {
    if hasAbove {
      above.gap(nil, delivery, listener)
    } else {
      with(delivery) { $0.hasLost = true }
    }
    with(delivery) { $0.offset &+= 1 }
  }

  /// Bytes while it is not known where records begin; answers how many were taken.
  mutating func search(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) -> Int {
    if !opening.isFromStart && session.version == nil {
      sealIfHopeless(delivery, listener)
      if isSealed(delivery) { return 0 }
      report.tellOnce(
        .handshakeMissing, .note, delivery.origin, listener,
        "\(session.words) is opened by trying, as \(Self.noHandshake)")
    }
    // Not more at once than what holds a record: behind one, another search may begin.
    let count = min(bytes.byteCount, Self.searchedAtOnce)
    var part = delivery
    if count < bytes.byteCount { part.edges.remove(.end) }
    let next = bytes.extracting(0..<count)
    with(delivery) { $0.search!.append(next, part) }
    if resume(isEnd: false, delivery, listener) { return count }
    let most = limits.resyncBytes
    let isOver = with(delivery) { half in
      half.search.map {
        $0.isExhausted || $0.cost > most || !half.room.reserve($0.cost)
      } ?? false
    }
    if isOver && !resume(isEnd: true, delivery, listener) { giveUpSearch(delivery, listener) }
    return count
  }

  private static let searchedAtOnce = 32 << 10

  /// Without any secret there is nothing to search with.
  private mutating func sealIfHopeless(_ delivery: Delivery, _ listener: any Listener) {
    if secrets.isExpected && session.obstacle == nil { return }
    report.tellClosed(
      .handshakeMissing, .note, session, delivery.origin, listener,
      "stays closed: \(Self.noHandshake)")
    with(delivery) { half in (half.search, half.isSealed) = (nil, true) }
    lose(delivery, listener)
  }

  private static let noHandshake = "its handshake was not captured, which says how it is encrypted"

  /// Looks for a record in what is held; what stands from there on is in `found` then.
  private mutating func resume(
    isEnd: Bool, _ delivery: Delivery, _ listener: any Listener
  ) -> Bool {
    if with(delivery, { $0.search!.isExhausted }) { return false }
    let before = with(delivery) { $0.search!.tried }
    let most = trials.most(opened: toServer.offset.addingSaturated(toClient.offset))
    if with(delivery, { $0.search!.candidates.isEmpty }) {
      // What can be tried changes only with what is known.
      if !session.clientRandom.isEmpty { secrets.refresh?() }
      let known = secrets.revision &+ session.known
      if with(delivery, { $0.search!.known == known }) { return false }
      // Keys of strangers are many, and not made for nothing.
      let ofStrangers = session.clientRandom.isEmpty
      if most < (ofStrangers ? TrialAllowance.least : 1) {
        with(delivery) { $0.search!.exhaust() }
        return false
      }
      let candidates = schedule.candidates(for: half(delivery))
      with(delivery) { half in
        (half.search!.candidates, half.search!.known) = (candidates, known)
        if ofStrangers { half.search!.countKeys() }
      }
      if candidates.isEmpty { return false }
    }
    let record = with(delivery) { $0.search!.find(isEnd: isEnd, most: before + most) }
    let tried = half(delivery).search!.tried
    trials.spend(tried - before, found: record == nil ? 0 : tried)
    guard let record else { return false }
    var search = RecordSearch?.none
    with(delivery) { swap(&$0.search, &search) }
    guard let search else { return false }
    take(record, search, delivery, listener)
    found.append(FoundOctets(search, from: record.offset))
    return true
  }

  /// Reads what searches have found, until no more is left than there was before them.
  mutating func readFound(above base: Int, _ listener: any Listener) {
    while found.count > base, var octets = found.popLast() {
      let depth = found.count
      if let (range, delivery) = octets.next {
        octets.skip(step(octets.store.bytes.extracting(range), delivery, listener))
        // What was found within them comes before the rest.
        found.insert(octets, at: depth)
      }
    }
  }

  /// Nothing more comes for now: what can be found in what is held is read.
  private mutating func readToEnd(_ delivery: Delivery, _ listener: any Listener) {
    let base = found.count
    while isSearching(delivery), resume(isEnd: true, delivery, listener) {
      readFound(above: base, listener)
    }
  }

  /// A record has opened: from here on all is known.
  private mutating func take(
    _ found: RecordSearch.Found, _ search: RecordSearch, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    if found.offset > 0 { listener.account(.incomplete, found.offset) }
    let candidate = found.candidate
    if session.version == nil { session.version = candidate.keys.isTLS13 ? .tls13 : .tls12 }
    if session.suite == nil { session.suite = candidate.keys.suite }
    if session.clientRandom.isEmpty { session.clientRandom = candidate.random }
    let before = half(delivery)
    let isMidstream = search.missing == nil && !opening.isFromStart
    let isSameKeys = candidate.generation == 0
    let first = firstApplication(candidate.stage)
    let hasLost: Bool
    if isSameKeys {
      hasLost = found.sequence > max(search.due, first)
    } else if candidate.generation != nil {
      // Where the keys before these ended, nobody knows.
      hasLost = true
    } else if before.stage == .early && session.acceptsEarlyData != false {
      hasLost = true
    } else {
      hasLost = found.sequence > first && !isMidstream
    }
    with(delivery) { half in
      half.enter(candidate.stage, candidate.keys)
      half.sequence = found.sequence
      half.hasLostMessages = candidate.stage == .handshake
    }
    let resumed = search.place(of: found.offset) ?? delivery
    tellFound(found, search, before.who, resumed.origin, listener)
    if hasLost {
      var more = delivery
      more.edges = .more
      lose(more, listener)
    }
    enterHandshake()
    if !held.isEmpty { release(listener) }
  }

  private func tellFound(
    _ found: RecordSearch.Found, _ search: RecordSearch, _ who: String, _ origin: Origin,
    _ listener: any Listener
  ) {
    let opened = "a TLS record opened as number \(found.sequence)"
    if search.missing == nil && !opening.isFromStart {
      listener.finding(
        Finding(
          .resynchronised, .note, origin,
          "which secret fits what \(who) sent was found by trying: \(opened)"))
      return
    }
    if search.isLate {
      listener.finding(
        Finding(
          .resynchronised, .note, origin,
          "with the secret that came late for what \(who) sent, \(opened)"))
      return
    }
    let size = search.missing.map { $0 == 0 ? "" : " of \(counted($0, "byte"))" } ?? ""
    var records = ""
    if found.candidate.generation == 0 {
      let lost = found.sequence &- search.due
      records = ": \(lost) of its TLS records \(lost == 1 ? "is" : "are") missing"
    } else if let generation = found.candidate.generation {
      records = " of new keys: \(generation == 1 ? "a KeyUpdate is" : "KeyUpdates are") missing"
    }
    listener.finding(
      Finding(
        .resynchronised, .warning, origin,
        "behind a gap\(size) in what \(who) sent, \(opened)\(records)"))
  }

  /// Nothing more comes for a search.
  mutating func endSearch(_ delivery: Delivery, _ listener: any Listener) {
    readToEnd(delivery, listener)
    if isSearching(delivery) { giveUpSearch(delivery, listener) }
  }

  /// The search has come to its end without a record.
  private mutating func giveUpSearch(_ delivery: Delivery, _ listener: any Listener) {
    guard let search = half(delivery).search else { return }
    if search.count > 0 { listener.account(.sealed, search.count) }
    with(delivery) { half in
      (half.search, half.isSealed) = (nil, true)
      half.room.giveBack()
    }
    if search.candidates.isEmpty && !search.isExhausted {
      if session.isSettled {
        tellKeyMissing(delivery, listener)
      } else {
        report.tellHelloMissing(session, delivery.origin, listener)
      }
    } else if search.count + search.dropped > 0 {
      let whose = trials.isUsedUp ? "one connection" : "all connections together"
      let reason =
        search.isExhausted
        ? ", and as much was tried as may be for \(whose): nothing more of it is read" : ""
      listener.finding(
        Finding(
          .framingLost, .warning, delivery.origin,
          "\(counted(search.count + search.dropped, "byte")) of \(half(delivery).who) behind a gap"
            + " did not open as TLS records\(reason)"))
    }
    lose(delivery, listener)
  }

  /// Another hole, before a record was found behind the last one.
  private mutating func dropSearched(
    _ missing: Int?, _ delivery: Delivery, _ listener: any Listener
  ) {
    let count = half(delivery).search!.count
    if count > 0 { listener.account(.incomplete, count) }
    with(delivery) { $0.search!.drop(missing: missing) }
  }

  /// A record did not open, though nothing is missing before it.
  mutating func missRecord(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    listener.account(.sealed, bytes.byteCount)
    let half = half(delivery)
    if half.isUnsure && !half.hasOpened { return }
    report.tellOnce(
      .recordUnopened, .warning, delivery.origin, listener,
      "a TLS record of \(half.who) does not open with the secret of the key log: it was"
        + " changed on the way, or the secret is of another session")
    if half.hasOpened {
      with(delivery) { half in
        half.search = RecordSearch(missing: bytes.byteCount, due: half.sequence)
      }
    } else {
      with(delivery) { half in
        half.misses += 1
        if half.misses == 8 { half.isSealed = true }
      }
      // From the first one on that may have been for the layer above.
      let first = firstApplication(half.stage)
      let others = first > half.sequence ? min(first - half.sequence, 7) : 0
      if half.misses == others { lose(delivery, listener) }
    }
  }
}
