// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// A protocol of the application: what is known of it, how its messages are recognised, and the
/// layer that reads them.
public protocol Dialect: Sendable {
  /// As it stands in `protocol` of the machine output.
  var name: StaticString { get }

  /// What `wamptap explain` knows of it, its findings left out.
  var topics: [Topic] { get }

  /// Every finding that it tells.
  var findings: [Explanation] { get }

  /// Whether its messages are JSON, so that a names file may say how to read them.
  var takesMessageRules: Bool { get }

  /// Whether the handshake says that a conversation speaks it, whatever its messages look like.
  func isNegotiated(_ opening: Opening) -> Bool

  /// Tells its messages from others.
  func recogniser(limits: Limits) -> any Recogniser

  /// Reads logs of programs that tell its messages in words; nil where none is known.
  func narratedLog(limits: Limits) -> (any NarratedLog)?

  /// How programs print its messages by the names of their elements.
  var printedMessages: PrintedMessages { get }

  /// Tells TCP streams that speak it from others; nil where it never runs on a bare stream.
  func streamRecogniser(limits: Limits) -> (any StreamRecogniser)?

  /// Reads one conversation. On a stream, the layer accounts for every byte and tells how the
  /// conversation is closed; who chose it has told how it opened.
  func layer(_ opening: Opening, _ run: RunContext) -> any Layer

  /// What stands for a conversation that speaks it in a way that this version does not read; nil
  /// for all others.
  func layer(unreadable opening: Opening) -> (any Layer)?

  /// Whether a session of it may go on over several connections: only then are these asked for what
  /// they carry on, and for remarks on others.
  var spansConnections: Bool { get }

  /// Reads the bodies of an exchange of HTTP whose request says that it belongs to a session of
  /// this dialect; nil for all others.
  func reader(
    of request: HTTPRequest, _ run: RunContext, _ listener: any Listener
  ) -> (any HTTPExchangeReader)?

  /// A client asked for a WebSocket, and was refused.
  func noteRefusal(of attempt: Opening, _ delivery: Delivery, _ run: RunContext)

  /// The session, begun over HTTP, that a WebSocket of this dialect carries on; nil when it begins
  /// one of its own.
  func session(carriedOnBy opening: Opening, _ run: RunContext) -> SpanningSession?

  /// A finding about the URL of a WebSocket, whatever that speaks, for those who have seen others
  /// of this dialect; nil for nearly all.
  func remark(on opening: Opening, _ delivery: Delivery, _ run: RunContext) -> Finding?

  /// Whether some of its subjects betray credentials in what messages about them carry.
  var hasSensitiveSubjects: Bool { get }

  /// Whether messages about this subject may carry credentials that only the subject betrays.
  func isSensitive(subject: RawSpan) -> Bool

  /// Names of values in its messages that are, or hold, credentials, beside those of
  /// `CredentialNames`. They count where pieces of a message are not known.
  var credentialNames: [String] { get }

  /// Whether a message of a conversation that no dialect has claimed may be one of this one that
  /// carries credentials: its beginning, or a piece of it, may not have been captured.
  func mayHoldCredentials(_ bytes: RawSpan, _ delivery: Delivery) -> Bool

  /// Adds to `notes` the credentials in the payload of a message about a sensitive, or an unknown,
  /// subject.
  func noteSecrets(
    in message: Message, _ bytes: RawSpan, into notes: inout ContiguousArray<Note>)

  /// Whether messages about this subject may say what ids stand for.
  func isLesson(subject: RawSpan) -> Bool

  /// What a message about such a subject says of ids.
  func lessons(in message: Message, _ bytes: RawSpan, about subject: RawSpan) -> [LearnedName]

  /// Adds what is inside a message of this dialect, one branch for each element and key. The bytes
  /// may have tokens in place of credentials.
  func outline(
    _ message: Message, _ bytes: RawSpan, into branches: inout ContiguousArray<Branch>)

  /// What a message does to who gets what; nil when it does nothing to that. The bytes may have
  /// tokens in place of credentials.
  func distribution(of message: Message, _ bytes: RawSpan) -> Distribution?
}

extension Dialect {
  public var takesMessageRules: Bool { false }

  public func isNegotiated(_: Opening) -> Bool { false }

  public func streamRecogniser(limits _: Limits) -> (any StreamRecogniser)? { nil }

  public func narratedLog(limits _: Limits) -> (any NarratedLog)? { nil }

  public var printedMessages: PrintedMessages { PrintedMessages() }

  public func layer(unreadable _: Opening) -> (any Layer)? { nil }

  public var spansConnections: Bool { false }

  public func reader(
    of _: HTTPRequest, _: RunContext, _: any Listener
  ) -> (any HTTPExchangeReader)? { nil }

  public func noteRefusal(of _: Opening, _: Delivery, _: RunContext) {}

  public func session(carriedOnBy _: Opening, _: RunContext) -> SpanningSession? { nil }

  public func remark(on _: Opening, _: Delivery, _: RunContext) -> Finding? { nil }

  public var hasSensitiveSubjects: Bool { false }

  public func isSensitive(subject _: RawSpan) -> Bool { false }

  public func noteSecrets(
    in _: Message, _: RawSpan, into _: inout ContiguousArray<Note>
  ) {}

  public var credentialNames: [String] { [] }

  public func mayHoldCredentials(_: RawSpan, _: Delivery) -> Bool { false }

  public func isLesson(subject _: RawSpan) -> Bool { false }

  public func lessons(in _: Message, _: RawSpan, about _: RawSpan) -> [LearnedName] { [] }

  public func distribution(of _: Message, _: RawSpan) -> Distribution? { nil }
}
