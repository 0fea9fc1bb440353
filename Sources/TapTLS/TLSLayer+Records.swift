// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Splits bytes into records, and handles each.
extension TLSLayer {
  /// The result for a record.
  enum Outcome {
    case done
    /// It cannot be decrypted yet: it is held, with everything after it.
    case mustWait
  }

  /// Reads bytes of one direction while record boundaries are known; returns how many were taken
  /// before that ended.
  mutating func walk(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) -> Int {
    let direction = delivery.origin.direction
    var at = 0
    repeat {
      let start = at
      guard let step = halves[direction].records.next(bytes, &at) else { return at }
      switch step {
      case .record(let record):
        if process(bytes.extracting(start..<at), record, delivery, listener) == .mustWait {
          halves[direction].isWaiting = true
          return start
        }
      case .completed(let record): processCarried(record, delivery, listener)
      case .broken(let count): listener.account(.incomplete, count)
      case .noRecord: loseFraming(delivery, listener)
      case .noRoom(let count): giveUp(count, delivery, listener)
      }
    } while halves[direction].isWalking
    return at
  }

  /// A record that began in earlier bytes.
  private mutating func processCarried(
    _ record: Record, _ delivery: Delivery, _ listener: any Listener
  ) {
    let direction = delivery.origin.direction
    // Moved out while it is lent.
    var carried = halves[direction].records.takeCarried()
    if process(carried.bytes, record, delivery, listener) == .mustWait {
      halves[direction].isWaiting = true
      hold(carried.bytes, delivery, listener)
    }
    halves[direction].records.reuse(&carried)
  }

  /// There is no room for bytes of a record: they count as missing.
  private mutating func giveUp(
    _ count: Int, _ delivery: Delivery, _ listener: any Listener
  ) {
    report.reportOnce(
      .recordIncomplete, .warning, delivery.origin, listener,
      "a TLS record stays closed, as \(Reservation.shortage)")
    listener.account(.incomplete, count)
    miss(count, isCaptured: true, delivery, listener)
    halves[delivery.origin.direction].records.giveBack()
  }

  /// No record begins where one should: if records were decrypted before, searches for the next
  /// one.
  private mutating func loseFraming(_ delivery: Delivery, _ listener: any Listener) {
    let direction = delivery.origin.direction
    // Only a header, in which no record can be found.
    let header = halves[direction].records.takeCarried()
    let mayResume = halves[direction].protection.hasOpened
    let rest = mayResume ? "the next one is looked for" : "nothing more of it is read"
    report.report(
      .badRecord, .warning, delivery.origin, listener,
      "what \(halves[direction].who) sent is no TLS record; \(rest)")
    if mayResume {
      var search = RecordSearch(missing: 0, due: halves[direction].protection.sequence)
      if !header.isEmpty { search.append(header.bytes, delivery) }
      halves[direction].search = search
      return
    }
    halves[direction].isSealed = true
    content.lose(delivery, listener)
    if !header.isEmpty { listener.account(.sealed, header.count) }
  }

  /// Handles one complete record.
  private mutating func process(
    _ bytes: RawSpan, _ record: Record, _ delivery: Delivery, _ listener: any Listener
  ) -> Outcome {
    let direction = delivery.origin.direction
    let stage = halves[direction].stage
    if stage == .plain { return plain(bytes, record, delivery, listener) }
    let hasKeys = halves[direction].protection.keys != nil
    if stage == .application && hasKeys { return open(bytes, delivery, listener) }
    if handshake.isTLS13, record.type != Record.Kind.applicationData {
      // RFC 8446 §D.4: a ChangeCipherSpec for middlebox compatibility has no effect.
      listener.account(.tls, bytes.byteCount)
      if record.type == Record.Kind.alert {
        let alert = bytes.dropping(Record.headerSize)
        report.report(alert: alert, halves[direction].who, delivery.origin, listener)
      }
      return .done
    }
    if !hasKeys && !loadKeys(direction) { return .mustWait }
    if halves[direction].stage == .early { return openEarly(bytes, delivery, listener) }
    return open(bytes, delivery, listener)
  }

  /// A record before encryption.
  private mutating func plain(
    _ bytes: RawSpan, _ record: Record, _ delivery: Delivery, _ listener: any Listener
  ) -> Outcome {
    let direction = delivery.origin.direction
    let fragment = bytes.dropping(Record.headerSize)
    switch record.type {
    case Record.Kind.handshake:
      listener.account(.tls, bytes.byteCount)
      take(handshake: fragment, delivery, listener)
    case Record.Kind.alert:
      listener.account(.tls, bytes.byteCount)
      report.report(alert: fragment, halves[direction].who, delivery.origin, listener)
    case Record.Kind.changeCipherSpec:
      // The hellos show the version; after a HelloRetryRequest it is TLS 1.3.
      if !handshake.isSettled && !handshake.isRetried { return .mustWait }
      if !handshake.isTLS13 && !handshake.isRetried && !changeKeys(direction) { return .mustWait }
      listener.account(.tls, bytes.byteCount)
    default:
      if direction == .toServer && handshake.isRetried {
        // RFC 8446 §4.2.10: early data that the server rejected with its HelloRetryRequest.
        passEarlyData(bytes, delivery, listener)
        return .done
      }
      if !handshake.isSettled { return .mustWait }
      listener.account(.sealed, bytes.byteCount)
    }
    return .done
  }

  /// An encrypted record.
  private mutating func open(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) -> Outcome {
    let direction = delivery.origin.direction
    guard
      let type = halves[direction].protection.open(bytes) ?? openWithNext(bytes, direction)
    else {
      missRecord(bytes, delivery, listener)
      return .done
    }
    if !hasOpened {
      hasOpened = true
      listener.count(.streamDecrypted, 1)
    }
    if type == Record.Kind.applicationData {
      if !content.isOpen { content.open(handshake.security, delivery, listener) }
      content.pass(&halves[direction].protection, bytes.byteCount, delivery, listener)
      return .done
    }
    listener.account(.tls, bytes.byteCount)
    let message = halves[direction].protection.content
    switch type {
    case Record.Kind.handshake: take(handshake: message.bytes, delivery, listener)
    case Record.Kind.alert:
      report.report(alert: message.bytes, halves[direction].who, delivery.origin, listener)
    case Record.Kind.changeCipherSpec:
      // A renegotiation in TLS 1.2: the following records use other keys.
      if !handshake.isTLS13 && !changeKeys(direction) { halves[direction].protection.keys = nil }
    default: break
    }
    return .done
  }

  /// Tries the next keys, in case the message that announced them was not understood.
  private mutating func openWithNext(_ bytes: RawSpan, _ direction: Direction) -> UInt8? {
    guard handshake.isTLS13 else { return nil }
    var next = halves[direction]
    switch next.stage {
    case .plain: return nil
    case .application: next.enter(.application, next.protection.keys?.updated)
    case .early, .handshake:
      next.enter(next.stage == .early ? .handshake : .application)
      if !next.use(schedule.keys(of: next, isServerDone: isServerDone)) { return nil }
    }
    guard let type = next.protection.open(bytes) else { return nil }
    halves[direction] = next
    return type
  }

  /// A client record while the end of its early data is not known.
  private mutating func openEarly(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) -> Outcome {
    if handshake.acceptsEarlyData == true,
      secrets.find(.clientEarly, handshake.clientRandom) != nil
    {
      return open(bytes, delivery, listener)
    }
    if halves.toServer.protection.open(bytes) == nil {
      halves.toServer.protection.forgetMisses()
      passEarlyData(bytes, delivery, listener)
      return .done
    }
    // The handshake continues here.
    halves.toServer.protection.endEarlyData()
    return open(bytes, delivery, listener)
  }

  private mutating func passEarlyData(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    loseEarlyData(delivery, listener)
    listener.account(.sealed, bytes.byteCount)
  }

  /// Early data that stay closed are missing, unless the server refused them: then the client sends
  /// their content again (RFC 8446 §4.2.10).
  mutating func loseEarlyData(_ delivery: Delivery, _ listener: any Listener) {
    let isAccepted = handshake.isEarlyDataAccepted
    report.reportEarlyData(isAccepted: isAccepted, delivery.origin, listener)
    if isAccepted != false { content.lose(delivery, listener) }
  }
}
