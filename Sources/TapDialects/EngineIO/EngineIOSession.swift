// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// One Engine.IO session: its packets in order, over any transports. Messages go to Socket.IO;
/// those that are not Socket.IO packets are reported as MESSAGE.
struct EngineIOSession {
  /// The link space of pings, apart from those of Socket.IO.
  private static let pingSpace: UInt8 = 5

  /// Nil until known.
  private(set) var revision: EngineIORevision?
  /// The revision is from the query of a request.
  private let isRevisionSure: Bool
  /// The packets are pasted: each stands alone, and binary ones are base64.
  let isPasted: Bool
  var socketIO: SocketIOReader
  private var scanner: JSONScanner
  private var notes = ContiguousArray<Note>()
  private(set) var heartbeat = EngineIOHeartbeat()
  private var base64 = Scratch()
  /// The server's message size limit in bytes; nil before OPEN.
  private var maxPayload: UInt64?
  /// Whether each side has sent a CLOSE.
  private var (serverClosed, clientClosed) = (false, false)
  /// What others on the path can read.
  private let exposure: EngineIOExposure
  /// When OPEN came.
  private var opened = Instant.unknown
  private var hasReportedOddByte = false
  private var hasReportedVersion = false

  /// - Parameter query: the query of the URL, if known.
  init(_ opening: Opening, _ query: EngineIOQuery?, knowsAll: Bool, limits: Limits) {
    (revision, isRevisionSure) = (query?.revision, query?.revision != nil)
    isPasted = Self.isPasted(opening)
    exposure = EngineIOExposure(opening)
    scanner = JSONScanner(maximumDepth: limits.nesting)
    socketIO = SocketIOReader(
      knowsAll: knowsAll, mayLackRequests: opening.carrier == .http, limits: limits)
    learn(query?.revision)
  }

  static func isPasted(_ opening: Opening) -> Bool {
    !opening.client.isKnown && opening.url.isEmpty
  }

  /// The revision determines which side sends pings, and which parser Socket.IO uses.
  private mutating func learn(_ found: EngineIORevision?) {
    guard let found else { return }
    if !isRevisionSure { revision = found }
    socketIO.parser = revision == .four ? .five : .four
  }

  /// A packet in its text form.
  mutating func receive(text bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    look(delivery, listener)
    if isAfterClose(delivery.origin.direction) {
      defer {
        listener.remark(
          .eioAfterClose, .note, delivery.origin, "this side has closed the session before")
      }
      return read(bytes, delivery, listener)
    }
    read(bytes, delivery, listener)
  }

  private mutating func read(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if bytes.byteCount > 0 && bytes.byte(at: 0) == UInt8(ascii: "b") {
      return receive(base64: bytes, delivery, listener)
    }
    guard let type = EngineIOType(bytes) else {
      UnclaimedLayer.report(bytes, delivery, carrier: "engineio", listener)
      socketIO.sessionRules.miss()
      return listener.remark(
        .eioPacketTypeUnknown, .error, delivery.origin,
        bytes.isEmpty
          ? "a packet without a type" : "the type of a packet must be a digit from 0 to 6")
    }
    switch type {
    case .open: open(bytes, delivery, listener)
    case .close:
      report(type, bytes, delivery, listener)
      if delivery.origin.direction == .toServer { clientClosed = true }
      if delivery.origin.direction == .toClient { serverClosed = true }
    case .ping, .pong: beat(type, bytes, delivery, listener)
    case .message: message(bytes, delivery, listener)
    case .upgrade: report(type, bytes, delivery, listener)
    case .noop:
      report(type, bytes, delivery, listener)
      if delivery.origin.direction == .toServer {
        listener.remark(.eioNoopFromClient, .note, delivery.origin, "only servers need it")
      }
    }
  }

  private mutating func message(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    judgeVersion(bytes, delivery, listener)
    judgeSize(bytes, delivery, listener)
    if case .other(let fault) = socketIO.receive(text: bytes, from: 1, delivery, listener) {
      report(.message, bytes, delivery, listener)
      if !socketIO.isSpoken { return }
      socketIO.sessionRules.miss()
      listener.remark(
        .sioPacketInvalid, .error, delivery.origin, "no packet of Socket.IO: \(fault)")
    }
    learnParser()
  }

  /// Concludes the revision from the parser that CONNECT showed.
  private mutating func learnParser() {
    if revision != nil { return }
    switch socketIO.parser {
    case .unknown: return
    case .four: learn(.three)
    case .five: learn(.four)
    }
  }

  /// A binary WebSocket message.
  mutating func receive(binary bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    look(delivery, listener)
    judgeSize(bytes, delivery, listener)
    let hasType = bytes.byteCount > 0 && bytes.byte(at: 0) == EngineIOType.message.rawValue
    // Up to revision 3, a type byte precedes the data.
    if let revision, revision != .four {
      guard hasType else {
        UnclaimedLayer.report(bytes, delivery, carrier: "engineio", listener)
        return listener.remark(
          .eioPacketTypeUnknown, .error, delivery.origin,
          "a binary packet of this revision must begin with the byte 04")
      }
      return receive(bytes, from: 1, delivery, listener)
    }
    receive(bytes, from: 0, delivery, listener)
    if revision == nil && hasType && !hasReportedOddByte {
      hasReportedOddByte = true
      listener.remark(
        .eioRevisionUnknown, .note, delivery.origin,
        "its first byte, 04, is a type in revision 3 and data in revision 4; nothing has shown yet"
          + " which of them this is, and the byte is kept")
    }
  }

  /// `bAQID`; in revision 3 and older, `b4AQID`.
  private mutating func receive(
    base64 bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    var start = 1
    if let revision {
      start = revision == .four ? 1 : 2
    } else if bytes.byteCount % 4 == 2 && bytes.byte(at: 1) == UInt8(ascii: "4") {
      // The length of padded base64 is a multiple of four.
      start = 2
    }
    base64.removeAll()
    base64.shrink(above: 1 << 20)
    guard start <= bytes.byteCount, Base64.decode(bytes.dropping(start), into: &base64) == nil
    else {
      report(.message, bytes, delivery, listener)
      return listener.remark(.eioBase64Invalid, .error, delivery.origin, "not base64 behind the b")
    }
    var decoded = delivery
    decoded.kind = .binary
    // A copy, because the call below changes the session.
    let octets = base64
    receive(octets.bytes, from: 0, decoded, listener)
  }

  /// The data of a binary message.
  private mutating func receive(
    _ bytes: RawSpan, from start: Int, _ delivery: Delivery, _ listener: any Listener
  ) {
    let data = bytes.dropping(start)
    if socketIO.receive(attachment: data, delivery, listener) { return }
    if socketIO.receive(serialized: bytes, from: start, delivery, listener) {
      return learnParser()
    }
    UnclaimedLayer.report(data, delivery, carrier: "engineio", named: "MESSAGE", listener)
    if socketIO.isSpoken && !socketIO.isMessagePack && socketIO.sessionRules.knowsAll && !isPasted {
      listener.remark(
        .sioAttachmentUnexpected, .error, delivery.origin, "no packet is waiting for an attachment")
    }
  }

  private mutating func open(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    let object = bytes.dropping(1)
    guard scanner.scan(object) == object.byteCount, !scanner.isArray,
      scanner.elements[0].kind == .object
    else {
      report(.open, bytes, delivery, listener)
      return listener.remark(
        .eioOpenInvalid, .error, delivery.origin, "there is no JSON object behind its type")
    }
    let handshake = EngineIOHandshake(object)
    if handshake.maxPayload != nil { learn(.four) }
    heartbeat.interval = EngineIOHandshake.nanoseconds(handshake.pingInterval, object)
    heartbeat.timeout = EngineIOHandshake.nanoseconds(handshake.pingTimeout, object)
    heartbeat.begin(delivery.origin.time)
    opened = delivery.origin.time
    maxPayload = handshake.maxPayload.flatMap { JSON.natural(object, $0.range) }
    var message = Message("engineio", "OPEN", delivery.origin)
    message.traits = .isText
    message.traits.formUnion(scanner.traits)
    notes.removeAll(keepingCapacity: true)
    handshake.note(object, into: &notes)
    listener.sent(bytes, trailing: 0, as: "Engine.IO")
    listener.message(message, object, notes.span)
    if let fault = handshake.fault {
      listener.remark(.eioOpenInvalid, .error, delivery.origin, fault)
    }
    exposure.report(delivery, listener)
  }

  /// A ping or a pong: its direction shows the revision.
  private mutating func beat(
    _ type: EngineIOType, _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    let isProbe = bytes.dropping(1).equals("probe")
    let direction = delivery.origin.direction
    let isFromServer = direction == .toClient
    var message = Message("engineio", Symbol(type.name), delivery.origin)
    message.traits = [.isControl, .isText]
    message.payload = ByteRange(0, bytes.byteCount - 1)
    let pinger = type == .ping ? direction : direction.reversed
    message.first = Link(
      type == .ping ? .restarts : .answers, "",
      (isProbe ? 2 : 0) | (pinger == .toClient ? 1 : 0), space: Self.pingSpace)
    listener.message(message, bytes.dropping(1), Span())
    if isProbe || direction == .unknown { return }
    // The server pings from revision 4 on.
    let shown: EngineIORevision = isFromServer == (type == .ping) ? .four : .three
    if isRevisionSure && (revision == .four) != (shown == .four) {
      return listener.remark(
        .eioHeartbeatDirection, .error, delivery.origin,
        "in revision \(revision!.rawValue) the \(revision == .four ? "server" : "client") pings"
          + " and the other side answers")
    }
    learn(shown)
    if type == .ping { heartbeat.ping(delivery.origin.time) } else { heartbeat.answer() }
  }

  /// Reports a packet as the text after its type.
  private mutating func report(
    _ type: EngineIOType, _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    var message = Message("engineio", Symbol(type.name), delivery.origin)
    message.traits = [.isText, type == .noop ? .isControl : .isUnclaimed]
    message.payload = ByteRange(0, bytes.byteCount - 1)
    var notes = ContiguousArray<Note>()
    if Self.mayHoldCredentials(type, bytes) {
      notes.append(Note(.bulk, "withheld", message.payload))
    }
    listener.message(message, bytes.dropping(1), notes.span)
  }

  /// Whether a packet that cannot be read looks like an OPEN, or a CONNECT of Socket.IO.
  private static func mayHoldCredentials(_ type: EngineIOType, _ bytes: RawSpan) -> Bool {
    if type == .open { return bytes.byteCount > 1 }
    guard type == .message, bytes.byteCount > 2, bytes.byte(at: 1) == UInt8(ascii: "0") else {
      return false
    }
    let next = bytes.byte(at: 2)
    return next == .openBrace || next == .openBracket || next == .quote || next == .slash
      || next == .space
  }

  private func isAfterClose(_ direction: Direction) -> Bool {
    direction == .toClient ? serverClosed : direction == .toServer && clientClosed
  }

  /// With revision 3, the server joins `/` without a request (Socket.IO 2 and older).
  private mutating func judgeVersion(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard isRevisionSure, revision == .four, delivery.origin.direction == .toClient,
      bytes.equals("40"), !hasReportedVersion
    else { return }
    hasReportedVersion = true
    listener.remark(
      .eioVersionMismatch, .error, delivery.origin,
      "the client asked for revision 4, and the server joins / as one of revision 3 does")
  }

  private func judgeSize(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard let maxPayload, delivery.origin.direction == .toServer,
      UInt64(bytes.byteCount) > maxPayload
    else { return }
    listener.finding(
      .eioBodyTooLarge, .error, delivery.origin,
      "a message of \(bytes.byteCount) bytes; the server takes no more than \(maxPayload)")
  }

  /// Checks the heart-beat at a packet or at the end.
  private mutating func look(_ delivery: Delivery, _ listener: any Listener) {
    guard let lapse = heartbeat.look(delivery.origin.time) else {
      if delivery.origin.direction == (revision == .four ? .toServer : .toClient) {
        heartbeat.answer()
      }
      return
    }
    let pinger = revision == .four ? "server" : revision == nil ? "other side" : "client"
    switch lapse {
    case .missing(let seconds):
      listener.finding(
        .eioPingMissing, .warning, delivery.origin, "no ping of the \(pinger) for \(seconds) s")
    case .unanswered(let seconds):
      listener.finding(
        .eioPingUnanswered, .warning, delivery.origin,
        "a ping of the \(pinger) had no answer for \(seconds) s")
    }
    heartbeat.answer()
  }

  /// A message could not be read, or was not captured.
  mutating func miss(_ delivery: Delivery, _ listener: any Listener) {
    heartbeat.forget()
    maxPayload = nil
    // In a log that does not separate sessions, later messages may be of another one.
    (serverClosed, clientClosed) = (false, false)
    socketIO.gap(delivery, listener)
  }

  /// Socket.IO servers from version 3 on close a session that has joined no namespace after 45 s.
  private func judgeSilence(
    _ ending: Ending, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard ending != .endOfEvidence, revision == .four, socketIO.sessionRules.knowsAll, !isPasted,
      !socketIO.sessionRules.hasAsked,
      let waited = delivery.origin.time.nanoseconds(since: opened), waited >= 45_000_000_000
    else { return }
    listener.finding(
      .sioNotJoined, .warning, delivery.origin,
      "the client sent no CONNECT in \(waited / 1_000_000_000) s: a server of Socket.IO closes such"
        + " a session")
  }

  /// Reports the intervals that OPEN announced, and whether they were kept.
  private mutating func reportKeepAlive(_ delivery: Delivery, _ listener: any Listener) {
    guard let interval = heartbeat.interval, interval > 0, let revision else { return }
    heartbeat.wait(until: delivery.origin.time)
    var agreed = KeepAlive(
      "engineio", revision == .four ? .toClient : .toServer, interval: interval)
    (agreed.signals, agreed.longestSilence) = (heartbeat.pings, heartbeat.longest)
    agreed.missed = heartbeat.missing
    listener.keepAlive(agreed, delivery)
  }

  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    if ending == .half { return }
    look(delivery, listener)
    judgeSilence(ending, delivery, listener)
    reportKeepAlive(delivery, listener)
    socketIO.finish(ending, delivery, listener)
  }
}
