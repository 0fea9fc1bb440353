// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Reports the packets of one connection as messages, and reports faults of single packets and of
/// their sequence.
struct MQTTSession: ~Copyable {
  /// Link spaces. Both sides may use the same packet identifiers at the same time.
  enum Space {
    static let byClient: UInt8 = 1
    static let byServer: UInt8 = 2
    static let connect: UInt8 = 3
    static let ping: UInt8 = 4
    /// Request and response with a response topic and correlation data.
    static let asked: UInt8 = 5
    static let askedByServer: UInt8 = 6
    /// A message and its deliveries.
    static let delivery: UInt8 = 7
    /// What an AUTH of the server asks for.
    static let challenge: UInt8 = 8
  }

  private var decoder: MQTTDecoder
  /// Reads packets from this program's output, and from logs; shared by all sessions.
  private let replays: Cell<MQTTReplay>
  var replay: MQTTReplay {
    _read { yield replays.value }
    _modify { yield &replays.value }
  }
  private var sessionRules: MQTTSessionRules
  /// Where the filters stand that the last delivered message matches.
  private var matches: ContiguousArray<Int> = []
  /// 3, 4 or 5; 0 until known.
  var level: UInt8 = 0
  /// For replayed packets: the filters of SUBSCRIBEs without an answer.
  var replayedFilters: [UInt64: [UInt8]] = [:]
  /// The packets are from a log.
  let isNarrated: Bool
  var logged: MQTTUnnumbered
  var loggedWill: [UInt8] = []
  /// CONNECT gave the level, or the finding about the concluded level was reported.
  private var isLevelReported = false
  /// The level was concluded from a PUBLISH that fits both: a later packet may show the other.
  private var isLevelLikely = false
  /// A PUBLISH that fits both was read as one of 3.1.1.
  private var hasGuessed = false
  /// CONNECT gave the level.
  private var isLevelGiven = false
  /// It was said that packets of a log are of several levels.
  private var areLevelsMixed = false

  init(_ opening: Opening, _ run: RunContext) {
    decoder = MQTTDecoder(limits: run.limits)
    replays = run.shared { Cell(MQTTReplay(limits: run.limits)) }
    logged = MQTTUnnumbered(limits: run.limits)
    sessionRules = MQTTSessionRules(opening, run)
    isNarrated = opening.provenance.isLogged && opening.provenance.isTranscoded
    if opening.subprotocol.elementsEqual("mqttv3.1".utf8) { level = MQTTLevel.v31 }
    isLevelReported = level != 0
  }

  /// Bytes of one direction were not captured, or could not be read.
  mutating func miss(_ direction: Direction, _ aliases: inout MQTTAliases) {
    aliases.miss()
    sessionRules.miss(direction)
  }

  /// Bytes of the client came, if only a part of a packet; see `MQTTKeepAliveRules`.
  @inline(__always)
  mutating func hear(_ time: Instant, continues: Bool) {
    sessionRules.keepAlive.hear(time, continues: continues)
  }

  /// One side has closed its direction.
  mutating func half(_ delivery: Delivery, _ listener: any Listener) {
    sessionRules.half(delivery, listener)
  }

  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    sessionRules.finish(ending, delivery, listener)
  }

  /// Reports one packet.
  ///
  /// - Parameters:
  ///   - bytes: the complete packet.
  ///   - origin: the origin of its last byte.
  mutating func report(
    _ bytes: RawSpan, _ header: MQTTHeader, _ origin: Origin, _ direction: Direction,
    _ aliases: inout MQTTAliases, _ listener: any Listener
  ) {
    let concluded = level
    // Lines of a log may be of several connections, each with its own level.
    if level == 0 || isLevelLikely || isNarrated && !isLevelGiven { learnLevel(bytes, header) }
    let isLearned = level != 0 && !isLevelReported || level != concluded
    let known = level == 0 ? MQTTLevel.v311 : level
    decoder.decode(bytes, header: header.length, level: known, &aliases)
    if header.isPadded {
      decoder.reading.fault(
        .mqttLength, .warning,
        "the remaining length takes more bytes than it needs", MQTTRule("", "1.5.5-1"))
    }
    let type = decoder.reading.packet.type
    if type == .connect {
      (level, isLevelReported, isLevelLikely) = (decoder.reading.packet.level, true, false)
      isLevelGiven = true
    }
    var message = Message("mqtt", Symbol(type?.name ?? "RESERVED"), origin)
    message.traits = decoder.reading.text.shown.traits
    message.subject = decoder.reading.text.shown.subject
    message.reason = decoder.reading.text.shown.failure
    message.payload = decoder.reading.text.shown.payload
    Self.declare(decoder.reading.packet, &message)
    var matched: UInt8?
    let aliased = decoder.reading.aliased
    let topic = aliased.isEmpty ? bytes[decoder.reading.packet.topic] : aliased.span.bytes
    if type == .publish {
      if direction == .toClient {
        Self.appendMatches(&decoder.reading.text, topic, sessionRules, &matches, &message)
        if !matches.isEmpty { matched = sessionRules.subscriptions.bestQoS(of: matches) }
      }
      Self.declareLinks(ofPublish: decoder.reading, topic, bytes, &message)
    } else if type == .connect, decoder.reading.packet.hasWill, direction != .unknown {
      let packet = decoder.reading.packet
      Self.declareDelivery(.sends, bytes[packet.willTopic], bytes[packet.willPayload], &message)
    }
    if !isNarrated { sessionRules.adjustLinks(of: &message, decoder.reading.packet) }
    if decoder.reading.text.shown.traits.contains(.isBytes) { hideBinary(bytes) }
    // A CONNECT that is not read to its end may have a password anywhere.
    let isUnread =
      type == .connect
      && (!decoder.reading.cursor.isWhole || decoder.reading.cursor.at < bytes.byteCount)
    listener.sent(bytes, trailing: isUnread ? bytes.byteCount : 0, as: "MQTT")
    if type == .suback {
      sessionRules.reportSubject(decoder.reading.packet, origin.direction, listener)
      if !replayedFilters.isEmpty { reportReplayedFilters(message.first.key, listener) }
    }
    listener.message(
      message, decoder.reading.text.json.bytes, decoder.reading.text.shown.notes.span)
    if !decoder.reading.cursor.faults.all.isEmpty { reportFaults(origin, listener) }
    if decoder.reading.isAliasUnknown { reportUnknownAlias(aliases, origin, listener) }
    // A log may lack packets.
    if !isNarrated {
      Self.judge(
        decoder.reading, topic, matched: matched, &sessionRules, bytes, origin, listener)
    }
    if isLearned && type != .connect { reportLevel(insteadOf: concluded, origin, listener) }
  }

  /// Appends the filters of the session that a delivered message matches, as far as captured.
  @inline(__always)
  private static func appendMatches(
    _ text: inout MQTTText, _ topic: RawSpan, _ sessionRules: borrowing MQTTSessionRules,
    _ found: inout ContiguousArray<Int>, _ message: inout Message
  ) {
    found.removeAll(keepingCapacity: true)
    if sessionRules.subscriptions.isEmpty || topic.isEmpty { return }
    sessionRules.subscriptions.find(matching: topic, &found)
    text.beginMatches()
    for index in found {
      let filter = sessionRules.subscriptions.filter(at: index)
      text.append(match: filter.span.bytes)
    }
    text.endMatches()
    message.traits = text.shown.traits
  }

  /// Apart, so that the packet is lent: it is large.
  @inline(__always)
  private static func judge(
    _ reading: borrowing MQTTReading, _ topic: RawSpan, matched: UInt8?,
    _ sessionRules: inout MQTTSessionRules, _ bytes: RawSpan, _ origin: Origin,
    _ listener: any Listener
  ) {
    sessionRules.look(
      reading.packet, reading.filters, bytes, topic: topic, matched: matched, origin, listener)
  }

  /// Reports that the protocol level was concluded, not read from CONNECT.
  ///
  /// - Parameter before: what was concluded before; 0 for nothing.
  @inline(never)
  private mutating func reportLevel(
    insteadOf before: UInt8, _ origin: Origin, _ listener: any Listener
  ) {
    isLevelReported = true
    var text =
      "CONNECT was not captured: by the form of this packet it is MQTT"
      + " \(level == MQTTLevel.v5 ? "5.0" : "3.1.1 or 3.1")"
    if isNarrated && before != 0 {
      if areLevelsMixed { return }
      areLevelsMixed = true
      text += ", and others before it were not: they are of another connection"
      return listener.remark(.mqttLevelInferred, .warning, origin, text)
    }
    let isLate = before != 0 || hasGuessed && level == MQTTLevel.v5
    if before != 0 {
      text += ", not 5.0: in the payloads before it, the first bytes were read as properties"
    } else if isLate {
      text += ": the payloads before it are shown with the properties in front"
    }
    listener.remark(
      .mqttLevelInferred, isLate ? .warning : .note, origin, text)
    hasGuessed = false
  }

  // MARK: - The level

  /// Concludes the level of a connection whose CONNECT was not captured: the one whose rules the
  /// packet satisfies. A packet that is valid in both decides nothing, but a PUBLISH may make one
  /// likely.
  private mutating func learnLevel(_ bytes: RawSpan, _ header: MQTTHeader) {
    guard let type = MQTTType(rawValue: bytes.byte(at: 0) >> 4), type != .connect else { return }
    let content = bytes.dropping(header.length)
    if type == .auth { return (level, isLevelLikely) = (MQTTLevel.v5, false) }
    if type == .pingreq || type == .pingresp { return }
    var before = MQTTPacketShape(content, isV5: false)
    var v5 = MQTTPacketShape(content, isV5: true)
    let fitsBefore = before.fits(content, type, bytes.byte(at: 0))
    let fitsV5 = v5.fits(content, type, bytes.byte(at: 0))
    if fitsBefore != fitsV5 {
      (level, isLevelLikely) = (fitsV5 ? MQTTLevel.v5 : MQTTLevel.v311, false)
    } else if type == .publish && fitsV5 && (level == 0 || areLevelsMixed) {
      // A payload of 3.1.1 may look like properties, but hardly any text begins with a valid
      // property length.
      let isText = v5.payloadStart.map { MQTTPayloads.isText(content.dropping($0)) } ?? false
      if v5.hasProperties || isText { (level, isLevelLikely) = (MQTTLevel.v5, true) }
      if level == 0 { hasGuessed = true }
    }
  }

  // MARK: - Links

  @inline(__always)
  static func declare(_ packet: MQTTPacket, _ message: inout Message) {
    let id = UInt64(packet.id ?? 0)
    let direction = message.origin.direction
    let isDown = direction == .toClient
    let own = isDown ? Space.byServer : Space.byClient
    // The sender of pasted packets is unknown: all identifiers are taken as one side's.
    let other = isDown || direction == .unknown ? Space.byClient : Space.byServer
    let failed = packet.reason >= 0x80
    switch packet.type {
    case .publish:
      message.first = packet.id == nil ? .unkeyed : Link(.opens, "packet", id, space: own)
    case .puback, .pubcomp: message.first = Link(.answers, "packet", id, space: other)
    case .pubrec:
      message.first = Link(failed ? .answers : .continues, "packet", id, space: other)
    case .pubrel: message.first = Link(.mentions, "packet", id, space: own)
    case .subscribe, .unsubscribe:
      message.first = Link(.opens, "packet", id, space: own)
    case .suback, .unsuback:
      message.first = Link(.answers, "packet", id, space: other)
    case .connect: message.first = Link(.restarts, "", 0, space: Space.connect)
    case .connack: message.first = Link(.answers, "", 0, space: Space.connect)
    case .auth: declare(authentication: packet.reason, &message)
    case .pingreq:
      message.first = Link(.restarts, "", 0, space: Space.ping)
      message.traits.insert(.isControl)
    case .pingresp:
      message.first = Link(.answers, "", 0, space: Space.ping)
      message.traits.insert(.isControl)
    case .disconnect, nil: message.first = .unkeyed
    }
    if packet.type == .disconnect && !isDown && packet.reason < 0x80 {
      message.traits.insert(.isFarewell)
    }
    if packet.isWhole || packet.type == .publish { return }
    message.traits.insert(.isMalformed)
  }

  /// AUTH (MQTT 5.0 §4.12): the server answers CONNECT, or the AUTH before, and asks for more until
  /// it answers with CONNACK, or with success.
  @inline(never)
  private static func declare(authentication reason: UInt8, _ message: inout Message) {
    switch (message.origin.direction, reason) {
    case (.toClient, 0): message.first = Link(.answers, "", 0, space: Space.connect)
    case (.toClient, _):
      message.first = Link(.answers, "", 0, space: Space.connect)
      message.second = Link(.restarts, "", 0, space: Space.challenge)
    case (.toServer, MQTTReason.reauthenticate):
      message.first = Link(.restarts, "", 0, space: Space.connect)
    case (.toServer, _):
      message.first = Link(.answers, "", 0, space: Space.challenge)
      message.second = Link(.restarts, "", 0, space: Space.connect)
    case (.unknown, _): message.first = Link(.continues, "", 0, space: Space.connect)
    }
  }

  @inline(__always)
  private static func declareLinks(
    ofPublish reading: borrowing MQTTReading, _ topic: RawSpan, _ bytes: RawSpan,
    _ message: inout Message
  ) {
    if reading.packet.isV5 { declareRequest(reading.packet.properties, topic, bytes, &message) }
    if message.origin.direction == .unknown || topic.isEmpty { return }
    declareDelivery(
      message.origin.direction == .toServer ? .sends : .delivers, topic,
      bytes[reading.packet.payload], &message)
  }

  /// Request and response (MQTT 5.0 §4.10).
  ///
  /// - Parameter bytes: what the ranges of `properties` refer to.
  @inline(never)
  static func declareRequest(
    _ properties: MQTTProperties, _ topic: RawSpan, _ bytes: RawSpan, _ message: inout Message
  ) {
    let isDown = message.origin.direction == .toClient
    if properties.has(.responseTopic) {
      let key = exchange(bytes[properties.responseTopic], bytes[properties.correlation])
      message.second = Link(.opens, "", key, space: isDown ? Space.askedByServer : Space.asked)
    } else if properties.has(.correlationData) {
      let key = exchange(topic, bytes[properties.correlation])
      message.second = Link(.answers, "", key, space: isDown ? Space.asked : Space.askedByServer)
    }
  }

  /// Links a message and its deliveries, which have the same topic and payload. A will is published
  /// like a message of the client.
  @inline(__always)
  static func declareDelivery(
    _ role: Link.Role, _ topic: RawSpan, _ payload: RawSpan, _ message: inout Message
  ) {
    message.third = Link(
      role, "", delivery(topic, payload), space: Space.delivery, scope: .router)
  }

  /// The key of a message and its deliveries. The highest bit marks keys that all sessions of a
  /// server share.
  @inline(__always)
  private static func delivery(_ topic: RawSpan, _ payload: RawSpan) -> UInt64 {
    (topic.fingerprint &* 31 &+ payload.fingerprint) | 1 << 63
  }

  private static func exchange(_ topic: RawSpan, _ correlation: RawSpan) -> UInt64 {
    topic.fingerprint &* 31 &+ correlation.fingerprint
  }

  /// Hides a binary payload that contains the name of a credential.
  private mutating func hideBinary(_ bytes: RawSpan) {
    guard
      decoder.reading.text.json.bytes.byte(at: decoder.reading.text.shown.payload.start)
        == UInt8(ascii: "{"),
      BinaryCredentials.isAny(in: bytes[decoder.reading.packet.payload], .standard)
    else { return }
    // `{"base64":"…"}`
    let range = ByteRange(
      decoder.reading.text.shown.payload.start + 11, decoder.reading.text.shown.payload.end - 2)
    decoder.reading.text.shown.note("credential", range, .secret)
  }

  // MARK: - Findings

  @inline(never)
  private func reportFaults(_ origin: Origin, _ listener: any Listener) {
    for fault in decoder.reading.cursor.faults.all {
      listener.remark(
        fault.code, fault.severity, origin,
        fault.text + fault.rule.suffix(level: decoder.reading.packet.level))
    }
  }

  private func reportUnknownAlias(
    _ aliases: MQTTAliases, _ origin: Origin, _ listener: any Listener
  ) {
    let alias = decoder.reading.packet.properties.alias
    let isPartial = aliases.isPartial || origin.direction == .unknown
    listener.remark(
      .mqttAliasUnknown, isPartial ? .note : .error, origin,
      isPartial
        ? "topic alias \(alias) may have been set in what was not captured: its topic is not"
          + " known"
        : "topic alias \(alias) was never set" + MQTTRule("", "3.3.2-7").suffix(level: 5))
  }
}
