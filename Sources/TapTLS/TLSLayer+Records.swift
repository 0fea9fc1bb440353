// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// From bytes to records, and what is done with each of them.
extension TLSLayer {
  /// What became of a record.
  enum Outcome {
    case done
    /// It cannot be opened yet: it is held, and what follows too.
    case mustWait
  }

  /// The bytes of one direction, where records begin at known places; answers how many were taken
  /// before that ended.
  mutating func walk(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) -> Int {
    var at = passBroken(bytes, delivery, listener)
    if delivery.origin.direction == .toServer ? !toServer.carry.isEmpty : !toClient.carry.isEmpty {
      at = complete(bytes, from: at, delivery, listener)
    }
    while at < bytes.byteCount {
      if !isWalking(delivery) { return at }
      guard let record = Record.parse(bytes, at: at), record.size <= bytes.byteCount &- at else {
        if let record = Record.parse(bytes, at: at), !record.isPlausible {
          loseFraming(delivery, listener)
          return at
        }
        keep(bytes.dropping(at), delivery, listener)
        return bytes.byteCount
      }
      if !record.isPlausible {
        loseFraming(delivery, listener)
        return at
      }
      let end = at &+ record.size
      if process(bytes.extracting(at..<end), record, delivery, listener) == .mustWait {
        with(delivery) { $0.isWaiting = true }
        return at
      }
      at = end
    }
    return at
  }

  private func isWalking(_ delivery: Delivery) -> Bool {
    !isSealed(delivery) && !isWaiting(delivery) && !isSearching(delivery)
  }

  /// Passes over the rest of a record that lacks bytes before these.
  private mutating func passBroken(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) -> Int {
    let count = with(delivery) { half in
      let count = min(half.brokenLeft, bytes.byteCount)
      half.brokenLeft -= count
      return count
    }
    if count > 0 { listener.account(.incomplete, count) }
    return count
  }

  /// Completes the record that began in earlier bytes; answers how far it came.
  private mutating func complete(
    _ bytes: RawSpan, from start: Int, _ delivery: Delivery, _ listener: any Listener
  ) -> Int {
    // Taken out for as long as it is lent.
    var carry = Scratch()
    with(delivery) { swap(&$0.carry, &carry) }
    var at = start
    while carry.count < Record.headerSize && at < bytes.byteCount {
      carry.append(bytes.byte(at: at))
      at += 1
    }
    if let record = Record.parse(carry.bytes, at: 0) {
      if !record.isPlausible {
        loseFraming(delivery, listener)
        // A header and no more, in which nothing can be found yet.
        if isSearching(delivery) {
          with(delivery) { $0.search!.append(carry.bytes, delivery) }
        } else {
          listener.account(.sealed, carry.count)
        }
        return at
      }
      let count = min(record.size - carry.count, bytes.byteCount - at)
      if !with(delivery, { $0.room.reserve(carry.count + count) }) {
        with(delivery) { swap(&$0.carry, &carry) }
        giveUp(bytes.extracting(at..<at + count), delivery, listener)
        return at + count
      }
      carry.append(bytes.extracting(at..<at + count))
      at += count
      if carry.count == record.size {
        if process(carry.bytes, record, delivery, listener) == .mustWait {
          with(delivery) { $0.isWaiting = true }
          hold(carry.bytes, delivery, listener)
        }
        carry.removeAll()
        let size = carry.capacity
        if !with(delivery, { $0.room.keeps(size) }) { carry.shrink(above: 0) }
      }
    }
    with(delivery) { swap(&$0.carry, &carry) }
    return at
  }

  /// Keeps the beginning of a record until the rest of it comes.
  private mutating func keep(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if with(delivery, { $0.room.reserve(bytes.byteCount) }) {
      with(delivery) { $0.carry.append(bytes) }
    } else {
      giveUp(bytes, delivery, listener)
    }
  }

  /// There is no room for bytes of a record: they count as missing.
  private mutating func giveUp(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    report.tellOnce(
      .recordIncomplete, .warning, delivery.origin, listener,
      "a TLS record stays closed, as \(Reservation.shortage)")
    listener.account(.incomplete, bytes.byteCount)
    miss(bytes.byteCount, isCaptured: true, delivery, listener)
    with(delivery) { half in
      half.carry.shrink(above: 0)
      half.room.giveBack()
    }
  }

  /// One whole record.
  private mutating func process(
    _ bytes: RawSpan, _ record: Record, _ delivery: Delivery, _ listener: any Listener
  ) -> Outcome {
    if delivery.origin.direction == .toServer {
      if toServer.stage == .application, toServer.keys != nil {
        return open(bytes, delivery, listener)
      }
    } else if toClient.stage == .application, toClient.keys != nil {
      return open(bytes, delivery, listener)
    }
    let half = half(delivery)
    if half.stage == .plain { return plain(bytes, record, delivery, listener) }
    if session.isTLS13, record.type != Record.Kind.applicationData {
      // RFC 8446 §D.4: a ChangeCipherSpec for the sake of middleboxes means nothing.
      listener.account(.tls, bytes.byteCount)
      if record.type == Record.Kind.alert, record.length == 2 {
        tell(alert: bytes.dropping(Record.headerSize).copied(), delivery, listener)
      }
      return .done
    }
    if half.keys == nil && !loadKeys(delivery) { return .mustWait }
    if self.half(delivery).stage == .early { return openEarly(bytes, delivery, listener) }
    return open(bytes, delivery, listener)
  }

  /// A record before any keys are in use.
  private mutating func plain(
    _ bytes: RawSpan, _ record: Record, _ delivery: Delivery, _ listener: any Listener
  ) -> Outcome {
    let isUp = delivery.origin.direction == .toServer
    let content = bytes.dropping(Record.headerSize)
    switch record.type {
    case Record.Kind.handshake:
      listener.account(.tls, bytes.byteCount)
      take(handshake: content, delivery, listener)
    case Record.Kind.alert:
      listener.account(.tls, bytes.byteCount)
      if record.length == 2 { tell(alert: content.copied(), delivery, listener) }
    case Record.Kind.changeCipherSpec:
      // Which version it is of, the hellos say; after a HelloRetryRequest it is of TLS 1.3.
      if !session.isSettled && !session.isRetried { return .mustWait }
      if !session.isTLS13 && !session.isRetried && !changeKeys(delivery) { return .mustWait }
      listener.account(.tls, bytes.byteCount)
    default:
      if isUp && session.isRetried {
        // RFC 8446 §4.2.10: early data, which the server refused with its HelloRetryRequest.
        toServer.earlyRecords += 1
        tellEarly(delivery, listener)
        listener.account(.sealed, bytes.byteCount)
        return .done
      }
      if !session.isSettled { return .mustWait }
      listener.account(.sealed, bytes.byteCount)
    }
    return .done
  }

  /// A record of TLS that its keys are to open.
  mutating func open(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) -> Outcome {
    let type =
      delivery.origin.direction == .toServer
      ? Self.open(bytes, &toServer) : Self.open(bytes, &toClient)
    guard let type = type ?? openWithNext(bytes, delivery) else {
      missRecord(bytes, delivery, listener)
      return .done
    }
    if !hasOpened {
      hasOpened = true
      listener.count(.streamDecrypted, 1)
    }
    if type == Record.Kind.applicationData {
      if !hasAbove { openAbove(delivery, listener) }
      if delivery.origin.direction == .toServer {
        Self.pass(bytes.byteCount, delivery, &toServer, &above, listener)
      } else {
        Self.pass(bytes.byteCount, delivery, &toClient, &above, listener)
      }
      if !isAboveSettled { settle() }
      return .done
    }
    listener.account(.tls, bytes.byteCount)
    let content = half(delivery).plain.bytes.copied()
    take(content: content, type, delivery, listener)
    return .done
  }

  /// Opens a record with the keys of its direction; the content stands in `plain`.
  static func open(_ bytes: RawSpan, _ half: inout Half) -> UInt8? {
    half.plain.removeAll()
    // What lies behind a record that did not open may have counted it or not.
    for skipped in 0...UInt64(min(half.misses, 4)) {
      let sequence = half.sequence &+ skipped
      if let type = half.keys!.open(bytes, sequence: sequence, into: &half.plain) {
        half.sequence = sequence &+ 1
        (half.misses, half.hasOpened) = (0, true)
        return type
      }
    }
    return nil
  }

  /// A record may be the first of its keys where the message that says so was not understood.
  private mutating func openWithNext(_ bytes: RawSpan, _ delivery: Delivery) -> UInt8? {
    guard session.isTLS13 else { return nil }
    var next = half(delivery)
    switch next.stage {
    case .plain: return nil
    case .application: next.enter(.application, next.keys?.updated)
    case .early, .handshake:
      next.enter(next.stage == .early ? .handshake : .application)
      swapHalf(&next, delivery)
      let isKnown = loadKeys(delivery)
      swapHalf(&next, delivery)
      if !isKnown { return nil }
    }
    guard let type = Self.open(bytes, &next) else { return nil }
    swapHalf(&next, delivery)
    return type
  }

  private mutating func swapHalf(_ other: inout Half, _ delivery: Delivery) {
    with(delivery) { swap(&$0, &other) }
  }

  /// Passes on what was opened.
  static func pass(
    _ size: Int, _ delivery: Delivery, _ half: inout Half, _ above: inout any Layer,
    _ listener: any Listener
  ) {
    let count = half.plain.count
    listener.account(.tls, size &- count)
    if count == 0 { return }
    var lent = delivery
    lent.origin.offset = half.offset
    // Senders hand over what they say at once in one record.
    lent.edges = [.start, .end]
    half.offset &+= UInt64(count)
    above.receive(half.plain.bytes, lent, listener)
  }

  /// What is not application data: of TLS itself.
  mutating func take(
    content: [UInt8], _ type: UInt8, _ delivery: Delivery, _ listener: any Listener
  ) {
    switch type {
    case Record.Kind.handshake: take(handshake: content.span.bytes, delivery, listener)
    case Record.Kind.alert: tell(alert: content, delivery, listener)
    case Record.Kind.changeCipherSpec:
      // A handshake anew within TLS 1.2: what comes next has other keys.
      if !session.isTLS13 && !changeKeys(delivery) { with(delivery) { $0.keys = nil } }
    default: break
    }
  }

  /// Chooses what carries on, at the first bytes for it.
  mutating func openAbove(_ delivery: Delivery, _ listener: any Listener) {
    hasAbove = true
    var inner = opening
    inner.security = Opening.Security(
      version: session.version?.name ?? "TLS", cipherSuite: session.suite?.name ?? "",
      serverName: session.serverName, applicationProtocol: session.applicationProtocol)
    above = chooser.layer(for: inner)
    for direction in [Direction.toServer, .toClient] {
      var side = delivery
      side.origin.direction = direction
      // A stream in mid-course has no beginning that could lack something.
      if half(side).hasLost && opening.isFromStart { above.gap(nil, side, listener) }
    }
  }

  private mutating func settle() {
    switch above.settlement {
    case .notYet: return
    case .by(let next): above = next
    case .final: isAboveSettled = true
    }
  }

  /// No record stands where one has to begin: with keys in use, one is looked for.
  mutating func loseFraming(_ delivery: Delivery, _ listener: any Listener) {
    let mayResume = half(delivery).hasOpened
    let rest = mayResume ? "the next one is looked for" : "nothing more of it is read"
    report.tell(
      .badRecord, .warning, delivery.origin, listener,
      "what \(half(delivery).who) sent is no TLS record; \(rest)")
    if mayResume {
      return with(delivery) { half in
        half.search = RecordSearch(missing: 0, due: half.sequence)
      }
    }
    with(delivery) { $0.isSealed = true }
    lose(delivery, listener)
  }
}
