// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapSessions
import TapTraffic

/// Checks packet identifiers: each opens an exchange, which the other side answers step by step
/// (MQTT 5.0 §2.2.1, §4.3, §4.9).
struct MQTTExchangeRules {
  /// The next expected packet, from the other side or, after PUBREC, from the side that opened the
  /// exchange.
  enum Step: UInt8, BitwiseCopyable {
    case puback, pubrec, pubrel, pubcomp, suback, unsuback

    /// Whether such a packet may be of the exchange: what is due, or what came before it again.
    func takes(_ type: MQTTType) -> Bool {
      switch (type, self) {
      case (.puback, .puback), (.pubrec, .pubrec), (.pubrec, .pubrel), (.pubrec, .pubcomp),
        (.pubrel, .pubrel), (.pubrel, .pubcomp), (.pubcomp, .pubcomp), (.suback, .suback),
        (.unsuback, .unsuback):
        true
      default: false
      }
    }
  }

  /// An exchange that is open.
  private struct Exchange: BitwiseCopyable {
    var step: Step
    var origin: Origin
    /// Filters of SUBSCRIBE or UNSUBSCRIBE.
    var filters: UInt16
    /// How many losses there were when it began.
    var losses: SideLosses
  }

  /// The unacknowledged messages of QoS 1 and 2 of one side.
  private struct InFlight {
    var count = 0
    var hasReported = false
  }

  /// The packet that would make a finding false.
  private struct Opening {
    var id: UInt16
    /// The side that would have sent it.
    var asker: Direction
  }

  private var exchanges = IDTable<Exchange>(minimumCapacity: 1)
  private var repeats: MQTTRepeats
  private var losses = SideLosses()
  private var reuse = IDReuse()
  private var client = InFlight()
  private var server = InFlight()
  private var pendingFindings: PendingFindings<Opening>
  /// The limit of watched exchanges.
  private let most: Int

  init(limits: Limits) {
    most = limits.mqttExchanges
    repeats = MQTTRepeats(limits: limits)
    pendingFindings = PendingFindings(most: limits.findingsPerCode)
  }

  private static func key(_ id: UInt16, by direction: Direction) -> WideKey {
    let space =
      direction == .toClient ? MQTTSession.Space.byServer : MQTTSession.Space.byClient
    return WideKey(UInt64(space), UInt64(id))
  }

  // MARK: - Questions

  /// PUBLISH of QoS 1 or 2, SUBSCRIBE or UNSUBSCRIBE.
  ///
  /// - Parameter taken: how many messages of QoS 1 and 2 the other side accepts at a time.
  /// - Returns: false when it is the packet that opened the exchange, sent again.
  @discardableResult
  mutating func open(
    _ packet: MQTTPacket, _ step: Step, filters: Int = 0, taken: Int = .max, _ origin: Origin,
    _ context: inout MQTTSessionContext, _ listener: any Listener
  ) -> Bool {
    guard let id = packet.id, id != 0 else { return true }
    let key = Self.key(id, by: origin.direction)
    if exchanges.count >= most {
      // Forgotten exchanges may still be answered.
      exchanges = IDTable(minimumCapacity: 1)
      if context.knowsAll { listener.count(.sessionUnwatched, 1) }
      context.knowsAll = false
    }
    let exchange = Exchange(
      step: step, origin: origin, filters: UInt16(clamping: filters), losses: losses)
    reuse.ask(key)
    let isMessage = step == .puback || step == .pubrec
    if exchanges.insert(exchange, for: key).isNew {
      if isMessage { count(taken, origin, context, listener) }
      return true
    }
    if packet.isRepeated {
      repeats.add(packet, key)
      return false
    }
    exchanges[key] = exchange
    guard context.knowsAll else { return true }
    context.report(
      .mqttIDInUse, .error, origin, "packet identifier \(id) is used again while it is open",
      MQTTRule("2.3.1-2", "2.2.1-3"), listener)
    return true
  }

  private mutating func count(
    _ taken: Int, _ origin: Origin, _ context: MQTTSessionContext, _ listener: any Listener
  ) {
    var flight = origin.isFromClient ? client : server
    flight.count += 1
    let isTooMany =
      flight.count > taken && context.knowsAll && context.hasConnack && !flight.hasReported
    if isTooMany { flight.hasReported = true }
    if origin.isFromClient { client = flight } else { server = flight }
    if !isTooMany { return }
    context.report(
      .mqttOverReceiveMaximum, .error, origin,
      "\(flight.count) messages of QoS 1 and 2 are open, and the other side takes \(taken)",
      MQTTRule("", origin.isFromClient ? "3.3.4-7" : "3.3.4-9"), listener)
  }

  // MARK: - Answers

  /// PUBACK, PUBREC, PUBREL and PUBCOMP.
  mutating func answer(
    _ type: MQTTType, _ packet: MQTTPacket, _ origin: Origin, _ context: MQTTSessionContext,
    _ listener: any Listener
  ) {
    guard let id = packet.id, id != 0 else { return }
    let asker = type == .pubrel ? origin.direction : origin.direction.reversed
    let key = Self.key(id, by: asker)
    guard let open = exchanges[key], open.step != .suback, open.step != .unsuback else {
      if packet.reason == 0x92 || context.goesOn || repeats.take(packet, key) { return }
      if type == .pubrel { begin(release: key, origin) }
      return suspect(type, id, asker, origin, context, listener)
    }
    if !open.step.takes(type) && repeats.take(packet, key) { return }
    let failed = packet.isV5 && packet.reason >= 0x80
    switch (type, open.step) {
    case (.puback, .puback), (.pubcomp, .pubcomp): end(key, asker)
    case (.pubcomp, .pubrel):
      if context.knowsAll && open.losses == losses {
        pendingFindings.add(
          context.finding(
            .mqttAckWrong, .warning, origin, "PUBCOMP for packet \(id), and PUBREL has not come",
            MQTTRule("4.3.3-2", "4.3.3-8")),
          unless: Opening(id: id, asker: asker), listener)
      }
      end(key, asker)
    case (.puback, .pubrec):
      context.report(
        .mqttAckWrong, .warning, origin, "PUBACK for a message of QoS 2, which PUBREC answers",
        MQTTRule("4.3.3-2", "4.3.3-8"), listener)
      end(key, asker)
    case (.pubrec, .puback):
      context.report(
        .mqttAckWrong, .warning, origin, "PUBREC for a message of QoS 1, which PUBACK answers",
        MQTTRule("4.3.2-2", "4.3.2-4"), listener)
      exchanges[key]?.step = .pubrel
    case (.pubrec, .pubrel) where !failed, (.pubrec, .pubcomp) where !failed,
      (.pubrel, .pubcomp):
      if !repeats.take(packet, key) { repeats.add(packet, key) }
    case (.pubrec, _):
      if failed { end(key, asker) } else { exchanges[key]?.step = .pubrel }
    case (.pubrel, _): exchanges[key]?.step = .pubcomp
    default: end(key, asker)
    }
    if packet.isV5 { Self.judgeReason(type, packet, origin, context, listener) }
  }

  /// A PUBREL is answered, also where its PUBLISH is not of this session (§4.3.3).
  private mutating func begin(release key: WideKey, _ origin: Origin) {
    if exchanges.count >= most { return }
    exchanges[key] = Exchange(step: .pubcomp, origin: origin, filters: 0, losses: losses)
    if origin.isFromClient { client.count += 1 } else { server.count += 1 }
  }

  private mutating func end(_ key: WideKey, _ asker: Direction) {
    _ = exchanges.removeValue(for: key)
    reuse.answer(key)
    if asker == .toServer {
      client.count = max(0, client.count - 1)
    } else {
      server.count = max(0, server.count - 1)
    }
  }

  /// What a SUBACK or an UNSUBACK answers.
  enum FiltersAnswer {
    /// An open exchange.
    case answers
    /// A packet that was sent again, and whose exchange has ended.
    case answersAgain
    case isUnknown
  }

  /// SUBACK and UNSUBACK.
  mutating func answer(
    _ type: MQTTType, toFilters packet: MQTTPacket, _ origin: Origin,
    _ context: MQTTSessionContext, _ listener: any Listener
  ) -> FiltersAnswer {
    guard let id = packet.id, id != 0 else { return .isUnknown }
    let key = Self.key(id, by: .toServer)
    guard let open = exchanges[key], open.step == (type == .suback ? .suback : .unsuback) else {
      if repeats.take(packet, key) { return .answersAgain }
      suspect(type, id, .toServer, origin, context, listener)
      return .isUnknown
    }
    _ = exchanges.removeValue(for: key)
    let hasCodes = type == .suback || packet.isV5
    let codes = packet.codes.count
    if hasCodes && codes != Int(open.filters) && codes > 0 {
      context.report(
        .mqttSubackLength, .error, origin,
        "\(type.name) has \(counted(codes, "code")) for \(counted(open.filters, "filter"))",
        MQTTRule("3.9.3-1"), listener)
    }
    if type == .unsuback, packet.isV5, packet.reason >= 0x80 {
      Self.judgeReason(type, packet, origin, context, listener)
    }
    return .answers
  }

  private static func judgeReason(
    _ type: MQTTType, _ packet: MQTTPacket, _ origin: Origin, _ context: MQTTSessionContext,
    _ listener: any Listener
  ) {
    if packet.reason == 0x10 {
      return context.report(
        .mqttNoSubscriber, .note, origin, "nobody has subscribed to the topic", .none, listener)
    }
    guard packet.reason >= 0x80, packet.reason != 0x92 else { return }
    context.report(
      .mqttAckFailed, .warning, origin,
      "\(type.name) says that it failed: \(MQTTReason.words(packet.reason))", .none, listener)
  }

  // MARK: - Answers to nothing that is open

  private mutating func suspect(
    _ type: MQTTType, _ id: UInt16, _ asker: Direction, _ origin: Origin,
    _ context: MQTTSessionContext, _ listener: any Listener
  ) {
    guard context.knowsAll, context.hasConnack else { return }
    pendingFindings.add(
      context.finding(
        .mqttAckUnknown, .warning, origin, "\(type.name) for packet \(id), which is not open",
        MQTTRule("2.3.1-6", "2.2.1-5")),
      unless: Opening(id: id, asker: asker), listener)
  }

  /// A packet may explain a pending finding.
  @inline(__always)
  mutating func reconsider(
    _ packet: MQTTPacket, _ origin: Origin, _ listener: any Listener
  ) {
    if !pendingFindings.isEmpty { judgePending(packet, origin, listener) }
  }

  @inline(never)
  private mutating func judgePending(
    _ packet: MQTTPacket, _ origin: Origin, _ listener: any Listener
  ) {
    let opens =
      packet.type == .publish || packet.type == .subscribe
      || packet.type == .unsubscribe || packet.type == .pubrel
    pendingFindings.reconsider(listener) { _, opening in
      if opening.asker != origin.direction { return .open }
      return opens && packet.id == opening.id ? .explained : .confirmed
    }
  }

  /// Packets of one side were not captured. They may explain what pending findings are about.
  mutating func miss(_ direction: Direction) {
    pendingFindings.forget()
    losses.add(direction)
  }

  /// Whether PUBACK or PUBREC may answer a PUBLISH that was not captured, and not the one that is
  /// open: identifiers are used again, and packets of its side were lost meanwhile.
  func isDoubtful(_ packet: MQTTPacket, _ direction: Direction) -> Bool {
    guard packet.type == .puback || packet.type == .pubrec, reuse.isSeen, let id = packet.id,
      let open = exchanges[Self.key(id, by: direction.reversed)]
    else { return false }
    return open.losses[direction.reversed] != losses[direction.reversed]
  }

  /// Whether a packet answers one that was sent again before the exchange began that is open now.
  func answersRepeat(_ packet: MQTTPacket, _ direction: Direction) -> Bool {
    guard !repeats.isEmpty, let type = packet.type, let id = packet.id else { return false }
    let key = Self.key(id, by: type == .pubrel ? direction : direction.reversed)
    guard let open = exchanges[key], !open.step.takes(type) else { return false }
    return repeats.expects(type, key)
  }

  /// Reports pending findings, as no packet can explain them any more.
  mutating func reportPending(_ listener: any Listener) {
    pendingFindings.report(listener)
  }

  // MARK: - The end

  /// Reports exchanges that are open when the connection or the capture ends.
  ///
  /// - Parameter isNote: neither side is to blame.
  func reportOpen(
    isEnd: Bool, isNote: Bool, _ origin: Origin, _ context: MQTTSessionContext,
    _ listener: any Listener
  ) {
    var left: [(key: WideKey, exchange: Exchange)] = []
    exchanges.forEach { left.append(($0, $1)) }
    for one in left.sorted(by: Self.isEarlier) {
      let age = origin.time.nanoseconds(since: one.exchange.origin.time)
      let isFresh = age ?? .max < 2_000_000_000
      let (code, words, rule) = Self.missing(one.exchange.step)
      let asker = one.key.high == UInt64(MQTTSession.Space.byServer) ? "server" : "client"
      var finding = Finding(
        code, isNote || isFresh ? .note : .warning, origin, "packet \(one.key.low) of the \(asker)")
      finding.about = Link(.opens, "", one.key.low, space: UInt8(one.key.high))
      finding.remainder =
        " had \(words) when the \(isEnd ? "capture" : "connection") ended"
        + rule.suffix(level: context.level)
      listener.finding(finding)
    }
  }

  /// Packets of one segment are told apart by their places in it: a table has another order in each
  /// run.
  private static func isEarlier(
    _ one: (key: WideKey, exchange: Exchange), _ other: (key: WideKey, exchange: Exchange)
  ) -> Bool {
    let (first, second) = (one.exchange.origin, other.exchange.origin)
    if first.isBefore(second) || second.isBefore(first) { return first.isBefore(second) }
    return (first.offset, one.key.low) < (second.offset, other.key.low)
  }

  /// The missing packet, and the rule that requires it.
  private static func missing(_ step: Step) -> (Finding.Code, StaticString, MQTTRule) {
    switch step {
    case .puback: (.mqttAckMissing, "no PUBACK", MQTTRule("4.3.2-2", "4.3.2-4"))
    case .pubrec: (.mqttAckMissing, "no PUBREC", MQTTRule("4.3.3-2", "4.3.3-8"))
    case .suback: (.mqttAckMissing, "no SUBACK", MQTTRule("3.8.4-1"))
    case .unsuback: (.mqttAckMissing, "no UNSUBACK", MQTTRule("3.10.4-4"))
    case .pubrel:
      (.mqttExchangeUnfinished, "PUBREC, and no PUBREL", MQTTRule("4.3.3-1", "4.3.3-4"))
    case .pubcomp:
      (.mqttExchangeUnfinished, "PUBREL, and no PUBCOMP", MQTTRule("4.3.3-1", "4.3.3-4"))
    }
  }
}
