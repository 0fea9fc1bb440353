// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Reports the frames of one connection as messages, and reports faults of single frames and of
/// their sequence.
struct STOMPSession {
  /// Spaces of links.
  enum Space {
    static let connect: UInt8 = 1
    static let receipt: UInt8 = 2
    static let subscription: UInt8 = 3
    static let delivery: UInt8 = 4
    static let content: UInt8 = 5
    static let reply: UInt8 = 6
  }

  /// What carries the frames.
  struct Carrier {
    /// It is a TCP stream, whose bytes are accounted for here.
    let isStream: Bool
    let name: StaticString
    /// The longest frame that is reassembled, in bytes.
    let longest: Int
  }

  let carrier: Carrier
  /// The text of the last frame, in a cell so that it can be lent while the session changes.
  private let text = Cell(STOMPText())
  private var notes = ContiguousArray<Note>()
  private var messageRules = STOMPMessageRules()
  private var rules: STOMPRules
  /// The subprotocol's version, until CONNECTED gives one.
  private var version: STOMPVersion?

  init(_ opening: Opening, limits: Limits) {
    carrier = Carrier(
      isStream: opening.carrier == .stream, name: UnclaimedLayer.name(of: opening.carrier),
      longest: limits.messageBytes)
    version = Self.version(of: opening)
    rules = STOMPRules(opening, version, limits: limits)
    limit = limits.kindNames
  }

  private let limit: Int

  private static func version(of opening: Opening) -> STOMPVersion? {
    if opening.subprotocol.elementsEqual("v10.stomp".utf8) { return .v10 }
    if opening.subprotocol.elementsEqual("v11.stomp".utf8) { return .v11 }
    if opening.subprotocol.elementsEqual("v12.stomp".utf8) { return .v12 }
    return nil
  }

  /// The client has not sent CONNECT.
  var isNew: Bool { rules.isNew }

  /// A message could not be read: it may have been anything.
  mutating func miss() { rules.miss() }

  /// Bytes came that are not a frame.
  mutating func misread() { rules.misread() }

  /// Bytes came: any of them are a sign of life.
  mutating func noteActivity(_ origin: Origin, _ listener: any Listener) {
    rules.noteActivity(origin, listener)
  }

  mutating func reportHeartBeat(_ bytes: RawSpan, _ origin: Origin, _ listener: any Listener) {
    var message = Message("stomp", "HEARTBEAT", origin)
    message.traits = [.isText, .isControl]
    listener.message(message, bytes, Span())
    rules.look(heartBeat: origin, listener)
  }

  mutating func finish(
    _ ending: Ending, by: Direction, _ delivery: Delivery, _ listener: any Listener
  ) {
    rules.finish(ending, by: by, delivery, listener)
  }

  /// Reports one frame.
  mutating func report(
    _ frame: inout STOMPFrame, _ bytes: RawSpan, _ origin: Origin, _ listener: any Listener
  ) {
    let isOpening =
      frame.command == .connected || frame.command == .connect || frame.command == .stomp
    if isOpening && (!frame.lacksHeaders || frame.has(.version)) {
      learnVersion(frame, bytes)
    }
    if version == nil && origin.direction != .unknown { concludeVersion(frame) }
    let version = version ?? .v12
    text.value.write(&frame, bytes, version)
    var message = Message("stomp", Self.name(frame, bytes, most: limit), origin)
    message.traits = [.isText, .isJSON, .isCompact]
    if text.value.isPlain { message.traits.insert(.isPlain) }
    if text.value.isBodyText { message.traits.insert(.isQuoted) }
    message.payload = text.value.body
    notes.removeAll(keepingCapacity: true)
    declare(frame, version, &message)
    if frame.lacksBody { facts(frame, .contentLength) }
    noteSecrets(frame, bytes)
    rules.adjustLinks(of: &message)
    if !frame.isDecoded { listener.sent(bytes[frame.range], trailing: 0, as: "STOMP") }
    listener.message(message, text.value.text.bytes, notes.span)
    messageRules.judge(frame, bytes, text.value.fault, version, origin, listener)
    let text = text
    rules.look(frame, text.value.text.bytes, message, version, listener)
  }

  /// The version is that of CONNECTED; before it, the highest that the client accepts.
  private mutating func learnVersion(_ frame: STOMPFrame, _ bytes: RawSpan) {
    if frame.command == .connected {
      version = frame.first(.version).map { STOMPVersion(bytes[$0.value]) ?? .v12 } ?? .v10
      return
    }
    guard version == nil else { return }
    guard let accepted = frame.first(.acceptVersion) else { return version = .v10 }
    version = Self.versions(bytes[accepted.value]).max()
  }

  /// Without CONNECT and CONNECTED: the versions name what ACK acknowledges in different ways.
  private mutating func concludeVersion(_ frame: STOMPFrame) {
    switch frame.command {
    case .message where frame.has(.ack): version = .v12
    case .ack, .nack:
      if frame.has(.id) { return version = .v12 }
      if frame.has(.messageID) { version = frame.has(.subscription) ? .v11 : .v10 }
    default: break
    }
  }

  /// `1.0,1.1,1.2`
  static func versions(_ list: RawSpan) -> [STOMPVersion] {
    var found: [STOMPVersion] = []
    var start = 0
    while start <= list.byteCount {
      let end = list.firstIndex(of: UInt8(ascii: ","), from: start) ?? list.byteCount
      let part = STOMPText.trimmed(ByteRange(start, end), list)
      if let one = STOMPVersion(list[part]) { found.append(one) }
      start = end + 1
    }
    return found
  }

  // These are static because a session is large: calling a non-mutating method during a mutation
  // would copy it.

  private static func name(_ frame: STOMPFrame, _ bytes: RawSpan, most: Int) -> Symbol {
    if let command = frame.command { return Symbol(command.name) }
    let line = bytes[frame.line]
    return Symbol.isName(line) ? Symbol.interned(line, most: most) ?? "UNKNOWN" : "UNKNOWN"
  }

  // MARK: - Ids, subject and facts

  private mutating func declare(
    _ frame: STOMPFrame, _ version: STOMPVersion, _ message: inout Message
  ) {
    if let subject = frame.first(.destination) { message.subject = subject.shown }
    if !frame.isFromServer, let receipt = frame.first(.receipt), !receipt.shown.isEmpty,
      frame.command?.isNeverEscaped != true
    {
      message.second = Self.link(.opens, receipt, Space.receipt, text)
    }
    switch frame.command {
    case .connect, .stomp:
      message.first = Link(.opens, "", 0, space: Space.connect)
      facts(frame, .acceptVersion, .host, .login, .passcode, .heartBeat)
    case .connected:
      message.first = Link(.answers, "", 0, space: Space.connect)
      facts(frame, .version, .server, .session, .heartBeat, .userName)
    case .subscribe:
      let named = frame.first(.id) ?? frame.first(.destination)
      id(frame, .id, "subscription")
      if let named { message.first = Self.link(.names, named, Space.subscription, text) }
      facts(frame, .ack, .selector, .prefetchCount)
    case .unsubscribe:
      let named = frame.first(.id) ?? frame.first(.destination)
      id(frame, .id, "subscription")
      if let named { message.first = Self.link(.concerns, named, Space.subscription, text) }
    case .message: declareDelivery(frame, version, &message)
    case .ack, .nack:
      id(frame, .subscription, "subscription")
      let isByID = frame.first(.id) != nil
      id(frame, isByID ? .id : .messageID, isByID ? "ack" : "message")
      let key = rules.subscriptions.key(ofAcknowledged: frame, text.value.text.bytes, version)
      if let key { message.first = Link(.answers, "", key, space: Space.delivery) }
    case .receipt:
      if let answered = frame.first(.receiptID) {
        message.first = Self.link(.answers, answered, Space.receipt, text)
      }
    case .error: declareError(frame, &message)
    case .disconnect: message.traits.insert(.isFarewell)
    case .send:
      facts(frame, .replyTo, .correlationID)
      message.third = Self.content(frame, .sends, text)
      if let correlation = frame.first(.correlationID), frame.first(.replyTo) != nil,
        !correlation.shown.isEmpty
      {
        message.first = Self.link(.opens, correlation, Space.reply, text)
      }
    default: break
    }
    id(frame, frame.isFromServer ? .receiptID : .receipt, "receipt")
    if !frame.isFromServer { id(frame, .transaction, "transaction") }
    // Without another link, a frame with a subject gets a link whose key is not shown. A MESSAGE
    // does not, as it asks for nothing.
    if message.first.role == .none && frame.command != .message {
      (message.first, message.second) = (message.second, .none)
    }
    if message.first.role == .none { message.first = .unkeyed }
  }

  private mutating func declareDelivery(
    _ frame: STOMPFrame, _ version: STOMPVersion, _ message: inout Message
  ) {
    id(frame, .subscription, "subscription")
    id(frame, .messageID, "message")
    let (given, ack) = (frame.first(.messageID), frame.first(.ack))
    // RabbitMQ sends the same value in both headers.
    if let ack, !given.isEqual(to: ack, text.value.text.bytes) { id(frame, .ack, "ack") }
    facts(frame, .replyTo, .correlationID)
    if let key = rules.subscriptions.key(of: frame, text.value.text.bytes) {
      message.first = Link(.refers, "", key, space: Space.subscription)
    }
    message.third = Self.content(frame, .delivers, text)
    if let correlation = frame.first(.correlationID), frame.first(.replyTo) == nil,
      !correlation.shown.isEmpty
    {
      // A reply: the link to its request is more useful than that to its ACK.
      message.second = Self.link(.answers, correlation, Space.reply, text)
    } else if ack != nil && version == .v12 || rules.subscriptions.wantsACK(message.first.key),
      let key = STOMPSubscriptions.key(
        ofDelivered: frame, by: message.first.key, text.value.text.bytes, version)
    {
      message.second = Link(.opens, "", key, space: Space.delivery)
    }
  }

  /// A MESSAGE has no id of its SEND: destination and body link them.
  private static func content(
    _ frame: STOMPFrame, _ role: Link.Role, _ text: Cell<STOMPText>
  ) -> Link {
    guard let destination = frame.first(.destination), !frame.body.isEmpty else { return .none }
    let bytes = text.value.text.bytes
    let key =
      bytes[destination.shown].fingerprint &* 31 &+ bytes[text.value.body].fingerprint
    return Link(role, "", key, space: Space.content, scope: .router)
  }

  private mutating func declareError(_ frame: STOMPFrame, _ message: inout Message) {
    message.traits.insert(.isFailure)
    if let reason = frame.first(.message) { message.reason = reason.shown }
    if let answered = frame.first(.receiptID) {
      message.first = Self.link(.answers, answered, Space.receipt, text)
    } else if rules.isConnecting {
      message.first = Link(.answers, "", 0, space: Space.connect)
    }
  }

  private static func link(
    _ role: Link.Role, _ header: STOMPFrame.Header, _ space: UInt8, _ text: Cell<STOMPText>
  ) -> Link {
    Link(role, "", text.value.text.bytes[header.shown].fingerprint, space: space)
  }

  private mutating func id(_ frame: STOMPFrame, _ kind: STOMPHeader, _ word: StaticString) {
    guard let header = frame.first(kind), !header.shown.isEmpty else { return }
    notes.append(Note(.id, Symbol(word), header.shown))
  }

  private mutating func facts(_ frame: STOMPFrame, _ kinds: STOMPHeader...) {
    for kind in kinds {
      guard let header = frame.first(kind), !header.shown.isEmpty else { continue }
      notes.append(Note(.fact, Symbol(kind.name), header.shown))
    }
  }

  // MARK: - Secrets

  /// Marks the passcode, a login that is a token, and headers named like credentials. Credentials
  /// inside a header's value are found like in any other text.
  private mutating func noteSecrets(_ frame: STOMPFrame, _ bytes: RawSpan) {
    if !frame.has(.passcode) && !frame.has(.login) && !frame.has(.other) { return }
    for index in frame.headers.indices {
      let header = frame.headers[index]
      if !header.shown.isEmpty && frame.isSecret(header, bytes) {
        notes.append(Note(.secret, "passcode", header.shown))
      }
    }
  }
}

extension STOMPFrame.Header? {
  fileprivate func isEqual(to other: STOMPFrame.Header, _ bytes: RawSpan) -> Bool {
    map { bytes[$0.shown].equals(bytes[other.shown]) } ?? false
  }
}

extension STOMPFrame {
  var isFromServer: Bool { command?.direction == .toClient }
}
