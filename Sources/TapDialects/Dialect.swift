// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// An application protocol: its explanations, how its messages are recognised, and the layer that
/// reads them.
public protocol Dialect: Sendable {
  /// The value of `protocol` in the machine output.
  var name: StaticString { get }

  /// The topics of `wamptap explain`, without findings.
  var topics: [Topic] { get }

  /// Every finding that it reports.
  var findings: [Explanation] { get }

  /// Whether its messages are JSON, so that a names file can say how to read them.
  var takesMessageRules: Bool { get }

  /// Whether the handshake names this protocol, whatever the messages look like.
  func isNegotiated(_ opening: Opening) -> Bool

  /// Recognises its messages.
  ///
  /// - Parameter scan: shared with the recognisers that are asked about the same texts.
  func recogniser(limits: Limits, _ scan: SharedScan) -> any Recogniser

  /// Read logs of programs that describe its messages in words.
  func narratedLogs(limits: Limits) -> [any NarratedLog]

  /// How programs print its messages by the names of their elements.
  var printedMessages: PrintedMessages { get }

  /// Recognises TCP streams of this protocol; nil when it never runs directly on TCP.
  func streamRecogniser(limits: Limits) -> (any StreamRecogniser)?

  /// Reads one conversation. On a stream, the layer accounts for every byte and reports how the
  /// conversation closes; the caller has reported how it opened.
  func layer(_ opening: Opening, _ run: RunContext) -> any Layer

  /// The layer for a conversation in a variant that this version cannot read; nil for all others.
  func layer(unreadable opening: Opening) -> (any Layer)?

  /// Whether a session may span several connections. Only then are `session(carriedOnBy:_:)` and
  /// `remark(on:_:_:)` called.
  var spansConnections: Bool { get }

  /// Reads the bodies of an HTTP exchange whose request belongs to a session of this dialect; nil
  /// for all others.
  func reader(
    of request: HTTPRequest, _ run: RunContext, _ listener: any Listener
  ) -> (any HTTPExchangeReader)?

  /// A WebSocket upgrade was refused.
  func noteRefusal(of attempt: Opening, _ delivery: Delivery, _ run: RunContext)

  /// The session that began over HTTP and that this WebSocket continues; nil when it begins one of
  /// its own.
  func session(carriedOnBy opening: Opening, _ run: RunContext) -> SpanningSession?

  /// A finding about the URL of a WebSocket of any protocol, by comparison with sessions of this
  /// dialect; nil for nearly all.
  func remark(on opening: Opening, _ delivery: Delivery, _ run: RunContext) -> Finding?

  /// Whether messages about some subjects may carry credentials that only the subject reveals.
  var hasSensitiveSubjects: Bool { get }

  /// Whether this is such a subject.
  func isSensitive(subject: RawSpan) -> Bool

  /// Names of values that are or contain credentials, beside those in `CredentialNames`. They are
  /// used for messages with missing pieces.
  var credentialNames: [String] { get }

  /// Whether a message of an unclaimed conversation may be one of this dialect with credentials.
  /// Its beginning, or a piece of it, may be missing.
  func mayHoldCredentials(_ bytes: RawSpan, _ delivery: Delivery) -> Bool

  /// Adds to `notes` the credentials in the payload of a message about a sensitive, or an unknown,
  /// subject.
  func noteSecrets(
    in message: Message, _ bytes: RawSpan, into notes: inout ContiguousArray<Note>)

  /// Whether messages about this subject may show what ids stand for.
  func isLesson(subject: RawSpan) -> Bool

  /// The names of ids that a message about such a subject shows.
  func lessons(in message: Message, _ bytes: RawSpan, about subject: RawSpan) -> [LearnedName]

  /// Adds the content of a message, one row for each element and key. The bytes may have tokens
  /// in place of credentials.
  func outline(
    _ message: Message, _ bytes: RawSpan, into rows: inout ContiguousArray<OutlineRow>)

  /// How a message changes who receives which messages; nil when it does not. The bytes may have
  /// tokens in place of credentials.
  func distribution(of message: Message, _ bytes: RawSpan) -> Distribution?
}

extension Dialect {
  public var takesMessageRules: Bool { false }

  public func isNegotiated(_: Opening) -> Bool { false }

  public func streamRecogniser(limits _: Limits) -> (any StreamRecogniser)? { nil }

  public func narratedLogs(limits _: Limits) -> [any NarratedLog] { [] }

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
