// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Splits both directions of a connection into packets, which the session reports. It is not a
/// `StreamFraming`, since packets also come over WebSocket, and after a gap the session's MQTT
/// version is needed to find packets again.
struct MQTTReader: ~Copyable {
  /// One direction.
  struct Half {
    var direction: Direction
    /// The beginning of an incomplete packet, or bytes in which packets are searched.
    var held = ResyncBuffer()
    /// This direction's share of the memory that all connections may hold.
    var room: Reservation
    /// The bytes still to come of a packet that is skipped.
    var skipped = 0
    /// A part of a WebSocket message has come, which will be lent when it is complete.
    var isOnItsWay = false
    /// It is not known where packets begin.
    var isLost = false
    /// Nothing was missed, except what was sent before the next message: that may be the middle of
    /// a packet, or begin one. Only while `isLost`.
    var mayBegin = false
    /// Where they may begin, while `isLost`.
    var places = MQTTSearch.Places()
    /// What was not captured since the last packet.
    var loss: FramingLoss?
    /// What carries the packets has shown how many messages that were.
    var isLossCounted = false
    var seen = FramingLoss.Seen()
    /// How many bytes were skipped in the search for a packet.
    var passed = 0
    var aliases: MQTTAliases

    /// The beginning of a packet has come, and not its end.
    var isWithinPacket: Bool { isOnItsWay || skipped > 0 || held.count > 0 && !isLost }

    /// The length of the packet that the held bytes begin; nil while that is not known.
    var heldSize: Int? {
      guard case .whole(let header) = MQTTHeader.read(held.bytes.bytes, at: 0) else { return nil }
      return header.total
    }

    /// Packets were found again.
    mutating func noteFound() {
      (loss, isLossCounted, passed, isLost, mayBegin) = (nil, false, 0, false, false)
    }
  }

  /// What carries the packets.
  struct Carrier {
    /// It is a TCP stream, whose bytes are accounted for here.
    let isStream: Bool
    /// The longest packet that is reassembled, in bytes.
    let longest: Int
    /// How many bytes are held to search for a packet.
    let searched: Int

    @inline(__always)
    func account(_ fate: Fate, _ count: Int, _ listener: any Listener) {
      if isStream { listener.account(fate, count) }
    }
  }

  private var toServer: Half
  private var toClient: Half
  private var session: MQTTSession
  private let carrier: Carrier
  private var firstEnd = Direction.unknown
  private var hasEnded = false
  private var hasReportedText = false
  /// The input is this program's own machine output.
  private let isTranscoded: Bool

  init(_ opening: Opening, _ run: RunContext) {
    let limits = run.limits
    let aliases = MQTTAliases(isFromStart: opening.isFromStart, limits: limits)
    let isStream = opening.carrier == .stream
    toServer = Half(
      direction: .toServer, room: Reservation(limits.unfinishedBytes), aliases: aliases)
    toClient = Half(
      direction: .toClient, room: Reservation(limits.unfinishedBytes), aliases: aliases)
    if !opening.isFromStart && !opening.provenance.isTranscoded {
      (toServer.isLost, toClient.isLost) = (true, true)
      (toServer.mayBegin, toClient.mayBegin) = (!isStream, !isStream)
    }
    carrier = Carrier(
      isStream: isStream, longest: limits.messageBytes, searched: limits.resyncBytes)
    session = MQTTSession(opening, run)
    isTranscoded = opening.provenance.isTranscoded
  }

  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    if carrier.isStream && hasEnded { return listener.account(.afterClose, bytes.byteCount) }
    if !carrier.isStream && delivery.kind != .binary && !look(at: bytes, delivery, listener) {
      return
    }
    take(bytes, delivery, listener)
  }

  private mutating func take(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    if delivery.origin.direction == .toClient {
      Self.receive(bytes, delivery, &toClient, &session, carrier, listener)
    } else {
      session.hear(delivery.origin.time, continues: toServer.isWithinPacket)
      toServer.isOnItsWay = false
      Self.receive(bytes, delivery, &toServer, &session, carrier, listener)
    }
  }

  /// A part of a WebSocket message came.
  mutating func hear(_ delivery: Delivery) {
    if delivery.origin.direction == .toClient { return }
    session.hear(delivery.origin.time, continues: toServer.isWithinPacket)
    toServer.isOnItsWay = true
  }

  /// Handles a WebSocket message that is not binary; false when bytes of it are missing.
  private mutating func look(
    at bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) -> Bool {
    switch delivery.kind {
    case .text where isTranscoded, .abridged where isTranscoded:
      session.replay(bytes, delivery, listener)
      return false
    case .withheld, .partialText, .dottedText, .abridged:
      let (certain, sent) = (Int(delivery.certainBytes), Int(delivery.sentBytes))
      let isMeasured = delivery.kind == .withheld && sent > certain
      // Where the length of the message is known, so is where the next packet begins.
      if isMeasured { take(bytes.extracting(0..<certain), delivery, listener) }
      gap(
        isMeasured ? sent - certain : nil, isCounted: false, nextBegins: isMeasured, delivery,
        listener)
      return false
    case .text, .brokenText:
      if hasReportedText { return true }
      hasReportedText = true
      listener.finding(
        .mqttWebSocketText, .error, delivery.origin,
        "packets must be sent in binary messages, and this one is text"
          + MQTTRule("6.0.0-1").suffix(level: session.level))
      return true
    default: return true
    }
  }

  private static func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ half: inout Half, _ session: inout MQTTSession,
    _ carrier: Carrier, _ listener: any Listener
  ) {
    var delivery = delivery
    // Most clients send packets in messages of their own.
    if delivery.kind == .binary { delivery.edges.formUnion([.start, .end]) }
    var start = 0
    if half.skipped > 0 {
      start = min(half.skipped, bytes.byteCount)
      half.skipped -= start
      carrier.account(.incomplete, start, listener)
      if start == bytes.byteCount { return }
    }
    if half.held.count == 0 && !half.isLost {
      let rest = pass(bytes, from: start, &half, &session, carrier, listener) { _, begin in
        var origin = delivery.origin
        origin.offset &+= UInt64(begin)
        return origin
      }
      if rest == bytes.byteCount { return }
      half.held.append(bytes.dropping(rest), delivery.advanced(by: rest))
    } else {
      half.held.append(bytes.dropping(start), delivery.advanced(by: start))
      if !half.isLost { cut(&half, &session, carrier, listener) }
    }
    // The result must not depend on how the stream was segmented.
    if half.isLost && (!carrier.isStream || half.held.isBorder(half.held.count, .end)) {
      search(&half, &session, carrier, listener)
    }
    keepWithin(&half, &session, carrier, listener)
  }

  /// Reports the complete packets.
  ///
  /// - Parameter origin: the origin of a packet, by the offsets of its last and first byte.
  /// - Returns: the offset after the last one.
  @inline(__always)
  private static func pass(
    _ bytes: RawSpan, from first: Int, _ half: inout Half, _ session: inout MQTTSession,
    _ carrier: Carrier, _ listener: any Listener, origin: (_ last: Int, _ first: Int) -> Origin
  ) -> Int {
    var start = first
    while start < bytes.byteCount {
      switch MQTTHeader.read(bytes, at: start) {
      case .whole(let header):
        // A packet type that does not exist probably means that the packet boundary is lost.
        if bytes.byte(at: start) < 0x10 {
          loseFraming(
            &half, &session, origin(start, start), .mqttTypeReserved, "no packet has type 0",
            listener)
          return start
        }
        let end = start &+ header.total
        if end > bytes.byteCount { return start }
        let place = origin(end &- 1, start)
        carrier.account(.reported, header.total, listener)
        half.seen.messages &+= 1
        half.seen.bytes &+= header.total
        session.report(
          bytes.extracting(start..<end), header, place, half.direction, &half.aliases, listener)
        start = end
      case .incomplete: return start
      case .malformed:
        loseFraming(
          &half, &session, origin(start, start), .mqttLength,
          "a remaining length has more than four bytes", listener)
        return start
      }
    }
    return start
  }

  /// The next bytes are not a packet: starts to search for one.
  @inline(never)
  private static func loseFraming(
    _ half: inout Half, _ session: inout MQTTSession, _ origin: Origin, _ code: Finding.Code,
    _ why: String, _ listener: any Listener
  ) {
    half.isLost = true
    half.places = MQTTSearch.Places()
    session.miss(half.direction, &half.aliases)
    listener.finding(
      code, .error, origin,
      "\(why): what follows is searched for the beginning of a packet")
  }

  /// Reports the complete packets among the held bytes.
  static func cut(
    _ half: inout Half, _ session: inout MQTTSession, _ carrier: Carrier,
    _ listener: any Listener
  ) {
    // Fast path: most pieces of a large packet do not complete it.
    if let size = half.heldSize, size > half.held.count, half.held.bytes.bytes.byte(at: 0) >= 0x10 {
      return
    }
    let held = half.held
    let count = pass(held.bytes.bytes, from: 0, &half, &session, carrier, listener) {
      var origin = held.origin(at: $0)
      origin.offset = held.origin(at: $1).offset
      return origin
    }
    half.held.removeFirst(count)
    if half.held.count == 0 { half.room.giveBack() }
  }

  /// Keeps the held bytes within the limit: skips a packet that is too large.
  private static func keepWithin(
    _ half: inout Half, _ session: inout MQTTSession, _ carrier: Carrier,
    _ listener: any Listener
  ) {
    if half.held.count == 0 { return }
    if half.isLost {
      if half.held.cost > carrier.searched || !half.room.reserve(half.held.cost) {
        giveUp(&half, carrier, listener)
      }
      return
    }
    let size = half.heldSize ?? half.held.count
    if size <= carrier.longest && half.room.reserve(half.held.cost) { return }
    let finding = Finding(
      .mqttNotRead, .warning, half.held.origin(at: 0),
      "a packet of \(counted(size, "byte")) is more than is put together")
    discard(&half, size: size, &session, carrier, finding, listener)
  }

  /// Drops an incomplete packet, and skips the rest of it.
  ///
  /// - Parameters:
  ///   - size: the length of the packet in bytes.
  ///   - finding: the finding that gives the reason.
  private static func discard(
    _ half: inout Half, size: Int, _ session: inout MQTTSession, _ carrier: Carrier,
    _ finding: Finding, _ listener: any Listener
  ) {
    session.miss(half.direction, &half.aliases)
    let count = half.held.count
    if count == 0 { return }
    half.skipped = max(0, size - count)
    carrier.account(.incomplete, count, listener)
    var finding = finding
    finding.lostMessages = half.isLossCounted ? 0 : 1
    listener.finding(finding)
    half.held.removeAll()
    half.room.giveBack()
  }

  // MARK: - Gaps

  mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    gap(missing, isCounted: !carrier.isStream, nextBegins: false, delivery, listener)
  }

  private mutating func gap(
    _ missing: Int?, isCounted: Bool, nextBegins: Bool, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    if delivery.origin.direction == .toClient {
      Self.gap(missing, isCounted, nextBegins, &toClient, &session, carrier, listener)
    } else {
      Self.gap(missing, isCounted, nextBegins, &toServer, &session, carrier, listener)
    }
  }

  /// If the gap is inside a packet of known length, the next packet is found by that length.
  ///
  /// - Parameter nextBegins: a packet may begin where the gap ends.
  private static func gap(
    _ missing: Int?, _ isCounted: Bool, _ nextBegins: Bool, _ half: inout Half,
    _ session: inout MQTTSession, _ carrier: Carrier, _ listener: any Listener
  ) {
    half.isLossCounted = isCounted && (half.loss == nil || half.isLossCounted)
    session.miss(half.direction, &half.aliases)
    if let missing, !half.isLost {
      if half.skipped >= missing && half.skipped > 0 { return half.skipped -= missing }
      if let size = half.heldSize, half.held.count + missing <= size {
        let finding = Finding(
          .mqttIncomplete, .warning, half.held.origin(at: 0),
          "\(counted(missing, "byte")) of a packet of \(size) were not captured")
        discard(&half, size: size, &session, carrier, finding, listener)
        return half.skipped -= missing
      }
    }
    if half.held.count > 0 && !half.isLost {
      let finding = Finding(
        .mqttIncomplete, .warning, half.held.origin(at: 0), "the end of a packet was not captured")
      discard(&half, size: 0, &session, carrier, finding, listener)
    } else if half.held.count > 0 {
      carrier.account(.skipped, half.held.count, listener)
      half.passed += half.held.count
      half.held.removeAll()
    }
    half.places = MQTTSearch.Places()
    half.isOnItsWay = false
    if half.loss == nil { half.loss = FramingLoss(missing) } else { half.loss?.add(missing) }
    (half.isLost, half.mayBegin, half.skipped) = (true, nextBegins, 0)
  }

  // MARK: - The end

  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    if hasEnded { return }
    let direction = delivery.origin.direction
    if firstEnd == .unknown && ending != .endOfEvidence { firstEnd = direction }
    if ending != .half || direction != .toClient {
      Self.flush(&toServer, ending, &session, carrier, listener)
    }
    if ending != .half || direction == .toClient {
      Self.flush(&toClient, ending, &session, carrier, listener)
    }
    if ending == .half { return session.half(delivery, listener) }
    hasEnded = true
    session.finish(ending, delivery, listener)
    if carrier.isStream { listener.closed(Closing(stream: ending, by: firstEnd), delivery) }
  }

  /// This direction has ended.
  private static func flush(
    _ half: inout Half, _ ending: Ending, _ session: inout MQTTSession, _ carrier: Carrier,
    _ listener: any Listener
  ) {
    if half.isLost { search(&half, &session, carrier, listener) }
    if half.isLost {
      let count = half.held.count
      carrier.account(.skipped, count, listener)
      half.passed += count
      let origin = half.held.origin(at: 0)
      half.held.removeAll()
      if half.passed > 0 {
        var finding = Finding(
          .mqttResumed, .warning, origin,
          "\(counted(half.passed, "byte")) after a gap could not be recognised as packets")
        if !half.isLossCounted {
          half.loss?.estimate(skipped: half.passed, half.seen, in: &finding)
        }
        listener.finding(finding)
      }
      half.noteFound()
      return
    }
    let count = half.held.count
    if count == 0 { return }
    let isEnd = ending == .endOfEvidence
    let came = half.heldSize.map { "\(count) of \($0) bytes" } ?? counted(count, "byte")
    let finding = Finding(
      .mqttIncomplete, isEnd ? .note : .warning, half.held.origin(at: 0),
      "the \(isEnd ? "capture" : "connection") ends inside of a packet: \(came) came")
    discard(&half, size: 0, &session, carrier, finding, listener)
  }
}
