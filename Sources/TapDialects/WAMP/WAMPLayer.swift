// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

/// WAMP v2: one WebSocket message is one WAMP message, or a batch of them. Names each message,
/// declares its links, marks its credentials, and reports faults of its form. It reads JSON;
/// messages in another serializer are transcoded to JSON first.
public struct WAMPLayer: Layer {
  /// The state of the session that is needed to read its messages.
  struct Session {
    /// Counts the sessions of one connection.
    var number: UInt16 = 0
    var hasBegun = false
    /// WELCOME was seen, and the session has not ended.
    var isOpen = false
    /// Whether either side has sent GOODBYE, and where.
    var isClosing = false
    var goodbye = Origin()
    /// CHALLENGE named cryptosign, whose signatures are not secret.
    var signsWithKeys = false
  }

  /// The message that is being read, and its notes, in memory that all layers use in turn.
  let array: Cell<WAMPArray>
  private let notes: Cell<ContiguousArray<Note>>
  var session = Session()
  var sessionRules: WAMPSessionRules
  var messageRules: WAMPMessageRules
  private var lookups = WAMPLookups()
  /// What carries the messages; messages that are not WAMP are named after it.
  let carrier: StaticString
  /// A handshake named the serializer.
  private let isNegotiated: Bool
  /// The server chose no subprotocol, and the finding about it has not been reported yet.
  private(set) var lacksSubprotocol: Bool
  /// Each message is one JSON text, whatever serializer was used on the wire.
  let isTranscoded: Bool
  /// The messages come from a text log, and no handshake excludes batches: a text that ends like a
  /// batch is one.
  private let mayBatch: Bool
  /// Nil when each WebSocket message is one JSON text: most connections.
  var decoding: Cell<WAMPDecoding>?

  // Borrowed here and in the calls below: an opening is large, and an initialiser would copy it.
  public init(_ opening: borrowing Opening, limits: Limits) {
    self.init(opening, WAMPShared(nil, limits: limits))
  }

  init(_ opening: borrowing Opening, _ shared: WAMPShared) {
    array = shared.array
    notes = shared.notes
    // Logs contain text, whatever the serializer, unless they say otherwise.
    let carriage =
      opening.provenance.writer.isEmpty || opening.provenance.hasOctets
      ? WAMPCarriage(subprotocol: opening.subprotocol) : .plain
    isTranscoded = opening.provenance.isTranscoded
    let named = WAMPCarriage(subprotocol: opening.subprotocol)
    mayBatch =
      !opening.provenance.writer.isEmpty && carriage == .plain && !isTranscoded
      && named?.isBatched != false
    decoding = carriage == .plain ? nil : Cell(WAMPDecoding(carriage, limits: shared.limits))
    // Pasted messages may be only a part of the session.
    let isPart = !opening.client.isKnown && !opening.provenance.isWrittenWhole
    sessionRules = WAMPSessionRules(
      knowsAll: opening.isFromStart && !isPart, hasGaps: isPart,
      at: WAMPPlace(opening, shared.realms), shared)
    messageRules = WAMPMessageRules(shared)
    carrier = UnclaimedLayer.name(of: opening.carrier)
    isNegotiated = !opening.subprotocol.isEmpty
    lacksSubprotocol =
      opening.isFromStart && opening.subprotocol.isEmpty
      && opening.carrier == .webSocket && opening.provenance.writer.isEmpty
  }

  /// The name of a list's message type in WAMP v2; nil when it is not a v2 message.
  static func type(of bytes: RawSpan, maximumDepth: Int) -> StaticString? {
    var array = WAMPArray(maximumDepth: maximumDepth)
    array.read(bytes)
    return array.problem == nil ? array.type?.name : nil
  }

  public mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if delivery.mayBeOfOthers { return receive(asItLooks: bytes, delivery, listener) }
    if delivery.kind != .text {
      if delivery.kind.isPartial { return receivePartial(bytes, delivery, listener) }
      if delivery.kind == .withheld { return receiveBeginning(bytes, delivery, listener) }
    }
    if mayBatch && delivery.kind == .text {
      if !WAMPDecoding.endsBatch(bytes) { return read(bytes, delivery, listener) }
      beginBatches()
    }
    if let decoding { return receive(bytes, delivery, decoding, listener) }
    if delivery.kind == .binary {
      sessionRules.miss()
      UnclaimedLayer.report(bytes, delivery, mayHoldSecrets: true, carrier: carrier, listener)
      listener.remark(
        .opcodeMismatch, isNegotiated ? .error : .warning, delivery.origin,
        isNegotiated
          ? "a binary message, but wamp.2.json uses text"
          : "a binary message behind those of text; no handshake was seen that names the"
            + " serializer, and it may be of another connection")
      return
    }
    read(bytes, delivery, listener)
  }

  /// One JSON text.
  @inline(__always)
  mutating func read(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    array.value.read(bytes)
    guard array.value.scanner.problem == nil && array.value.scanner.isArray else {
      sessionRules.miss()
      UnclaimedLayer.report(
        bytes, delivery, mayHoldSecrets: WAMPSecrets.mayBeHandshake(bytes), carrier: carrier,
        listener)
      return remark(delivery.origin, isAbridged: delivery.kind == .abridged, listener)
    }
    report(bytes, delivery, listener)
  }

  /// Reports a message of a log that does not name the sender: most types have only one possible
  /// sender.
  @inline(never)
  private func report(
    _ message: Message, sentBy code: UInt64?, _ bytes: RawSpan, _ listener: any Listener
  ) {
    var reported = message
    if let code, let direction = WAMPType.direction(ofCode: code) {
      reported.origin.direction = direction
      reported.traits.insert(.isDirectionInferred)
    }
    listener.message(reported, bytes, notes.value.span)
  }

  /// Reports a list that was read.
  @inline(__always)
  mutating func report(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    let isTyped = array.value.name.utf8CodeUnitCount > 0
    var message = describe(bytes, delivery, isTyped: isTyped)
    if delivery.origin.direction == .unknown && delivery.origin.flow != 0 {
      report(message, sentBy: array.value.code, bytes, listener)
    } else {
      listener.message(message, bytes, notes.value.span)
    }
    if array.value.problem != nil || !array.value.remarks.isEmpty || lacksSubprotocol
      || array.value.scanner.hasNonFinite || array.value.code == WAMPCode.heartbeat
      || array.value.scanner.mayRepeatKeys
    {
      remark(
        delivery.origin, isAbridged: delivery.kind == .abridged,
        otherVersion: otherVersion(bytes), listener)
      if array.value.scanner.mayRepeatKeys { reportRepeatedKeys(bytes, delivery.origin, listener) }
    }
    if array.value.problem != nil || !isTyped {
      sessionRules.miss()
    } else {
      check(&message, bytes, delivery, listener)
    }
    if sessionRules.context.isInexact {
      (sessionRules.context.isInexact, messageRules.hasUnreadablePart) = (false, false)
    }
  }

  /// The message that a list is, and its notes.
  ///
  /// - Parameter isTyped: its type is known.
  @inline(__always)
  private mutating func describe(
    _ bytes: RawSpan, _ delivery: Delivery, isTyped: Bool
  ) -> Message {
    var message = Message("wamp", Symbol(isTyped ? array.value.name : "UNKNOWN"), delivery.origin)
    message.traits = .isText
    if array.value.scanner.isStrict && array.value.isWhole && delivery.kind == .text {
      message.traits.insert(.isJSON)
      if !array.value.scanner.hasSpace { message.traits.insert(.isCompact) }
      if !array.value.scanner.hasUnplain { message.traits.insert(.isPlain) }
      if !array.value.scanner.hasEscape { message.traits.insert(.isUnescaped) }
    }
    if !notes.value.isEmpty { notes.value.removeAll(keepingCapacity: true) }
    if isTyped {
      WAMPLinks.declare(&array.value, bytes, &session, &message, &notes.value)
      if message.first.role == .opens
        && sessionRules.requestRules.requests.isLatePart(message.first.space, message.first.key)
      {
        message.first.role = .mentions
      }
    } else {
      describe(untyped: &message, bytes)
    }
    message.session = session.number
    if array.value.problem != nil { describe(malformed: &message, bytes) }
    if delivery.kind == .abridged {
      message.traits.insert(.hidesText)
      message.sentBytes = delivery.sentBytes
      showCut(&message, bytes)
    }
    return message
  }

  private func describe(untyped message: inout Message, _ bytes: RawSpan) {
    if let code = array.value.code { message.first = Link(.shows, "code", code, space: 0) }
    message.payload = ByteRange(0, bytes.byteCount)
    // An unknown code may be a misread or mistyped known one, with credentials.
    let isUncertain = decoding?.value.isAmbiguous ?? false
    let isText = decoding?.value.isTranscoded != true
    if isUncertain || array.value.code == nil && (!isText || WAMPSecrets.mayBeHandshake(bytes)) {
      notes.value.append(Note(.bulk, "message", message.payload))
    }
  }

  private func describe(malformed message: inout Message, _ bytes: RawSpan) {
    message.traits.insert(.isMalformed)
    // Binary messages that break the rules and do not end at their stated end may be read as the
    // wrong message: hide them, as they may be a login.
    if decoding?.value.isFollowed == true {
      notes.value = [Note(.bulk, "message", ByteRange(0, bytes.byteCount))]
      (message.payload, message.keywords) = (ByteRange(0, bytes.byteCount), ByteRange())
    }
    // After the list another message may follow, with its own credentials.
    if !array.value.isWhole && array.value.scanner.offset < bytes.byteCount {
      notes.value.append(
        Note(.bulk, "trailing", ByteRange(array.value.scanner.offset, bytes.byteCount)))
    }
  }

  /// Checks a message that was reported against the rules of its type and of its session.
  @inline(__always)
  private mutating func check(
    _ message: inout Message, _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if delivery.kind == .abridged {
      // Omitted parts are not faults: only ids and types count.
      sessionRules.look(
        &array.value, bytes, &message, array.value.code! < 8 ? NullListener() : listener)
      return sessionRules.features.forget(announcedBy: array.value.code!)
    }
    if array.value.code == WAMPCode.hello { messageRules.begin() }
    var features = messageRules.look(&array.value, bytes, &message, listener)
    if array.value.code == WAMPCode.cancel { features |= WAMPFeatureRules.canceling }
    sessionRules.look(&array.value, bytes, &message, listener)
    if features != 0 {
      sessionRules.features.use(
        features, array.value.code!, &message, sessionRules.context, listener)
    }
    if lookups.concerns(message) { lookups.look(message, bytes, listener) }
  }

  /// Ends the line with `…` where nothing else in it shows that something was left out.
  private func showCut(_ message: inout Message, _ bytes: RawSpan) {
    if !message.payload.isEmpty || !message.keywords.isEmpty { return }
    for at in stride(from: bytes.byteCount - 3, to: 0, by: -1)
    where bytes.extracting(at..<at + 3).equals("…") {
      message.payload = ByteRange(at, at + 3)
      return
    }
  }

  public mutating func gap(_: Int?, _: Delivery, _: any Listener) {
    session.signsWithKeys = false
    sessionRules.miss()
  }

  public mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    sessionRules.finish(ending, delivery, listener)
  }

  /// The name in v1 of a list that is not a v2 message.
  private func otherVersion(_ bytes: RawSpan) -> StaticString? {
    if array.value.problem == nil { return nil }
    return WAMPv1Layer.type(of: bytes, maximumDepth: Limits.standard.nesting)
  }

  @inline(never)
  mutating func remark(
    _ origin: Origin, isAbridged: Bool = false, otherVersion: StaticString? = nil,
    _ listener: any Listener
  ) {
    func report(_ code: Finding.Code, _ severity: Finding.Severity, _ text: String) {
      listener.remark(code, severity, origin, text)
    }
    // Parts that a logger left out are not faults of the message.
    if let problem = array.value.problem, !isAbridged {
      if let otherVersion {
        report(
          .versionMismatch, .error,
          "this is \(otherVersion) of WAMP v1, on a connection that speaks v2")
      } else {
        report(problem.fault.code, .error, problem.text)
      }
    }
    for remark in array.value.remarks { report(remark.fault.code, .note, remark.text) }
    // A logger may have printed, as JSON, a message that was sent in another serializer.
    if array.value.scanner.hasNonFinite && !isAbridged && decoding?.value.isTranscoded != true {
      report(.notStrictJSON, .error, "NaN and Infinity are not JSON; the message is shown as sent")
    }
    if array.value.code == WAMPCode.heartbeat {
      report(.heartbeatLegacy, .warning, "HEARTBEAT was removed from WAMP in 2015")
    }
    if lacksSubprotocol {
      lacksSubprotocol = false
      report(
        .subprotocolMissing, .warning,
        "the server chose no subprotocol; the first message shows that this is WAMP over"
          + " \(decoding?.value.carriage?.name ?? "JSON")"
      )
    }
  }
}
