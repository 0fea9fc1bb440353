// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// How sure a dialect is that a conversation speaks it. Words, so that they can be argued about.
public enum Claim: Int, Sendable, Comparable {
  case no
  /// Show me more.
  case undecided
  case possible
  case likely
  case certain

  public static func < (left: Claim, right: Claim) -> Bool { left.rawValue < right.rawValue }
}

extension Likeness.Grade {
  /// The claim of a dialect that has no more than the text to go by.
  var claim: Claim { self == .none ? .no : .likely }
}

/// A protocol of the application, recognised by what was negotiated or by its first message.
public protocol Dialect: Layer, SendableMetatype {
  /// As it stands in `protocol` of the machine output.
  static var name: StaticString { get }

  /// What `wamptap explain` knows of it, its findings left out.
  static var topics: [Topic] { get }

  /// Every finding that it tells.
  static var findings: [Explanation] { get }

  /// - Parameters:
  ///   - first: the first message of the conversation.
  ///   - kind: whether it is text.
  static func claim(_ opening: Opening, _ first: RawSpan, _ kind: Delivery.Kind) -> Claim

  /// Why a pasted text is no message of this dialect, in words for people; nil when it is one.
  ///
  /// - Parameter isSpoken: whether a message of this dialect came before it, so that one that other
  ///   protocols have as well may be taken for one.
  static func refusal(of pasted: RawSpan, isSpoken: Bool) -> String?

  /// Finds messages of this dialect among other texts.
  static func recogniser(limits: Limits) -> any Recogniser

  /// Whether messages about this subject may carry credentials that only the subject betrays.
  static func isSensitive(subject: RawSpan) -> Bool

  /// Names of values in its messages that are, or hold, credentials, beside those of
  /// `CredentialNames`. They count where pieces of a message are not known.
  static var credentialNames: [String] { get }

  /// Whether a message of a conversation that no dialect has claimed may be one of this one that
  /// carries credentials: its beginning, or a piece of it, may not have been captured.
  static func mayHoldCredentials(_ bytes: RawSpan, _ delivery: Delivery) -> Bool

  /// Adds to `notes` the credentials in the payload of a message about a sensitive, or an unknown,
  /// subject.
  static func noteSecrets(
    in message: Message, _ bytes: RawSpan, into notes: inout ContiguousArray<Note>)

  /// Whether messages about this subject may say what ids stand for.
  static func isLesson(subject: RawSpan) -> Bool

  /// What a message about such a subject says of ids.
  static func lessons(
    in message: Message, _ bytes: RawSpan, about subject: RawSpan
  ) -> [Lesson]

  /// Adds what is inside a message of this dialect, one branch for each element and key. The bytes
  /// may have tokens in place of credentials.
  static func outline(
    _ message: Message, _ bytes: RawSpan, into branches: inout ContiguousArray<Branch>)

  /// Whether a message that opens an exchange asks for an answer.
  static func isAnswerExpected(_ message: Message, _ bytes: RawSpan) -> Bool

  init(_ opening: Opening, limits: Limits)

  /// The same, in a place of its own, among the other conversations of the run.
  static func kept(_ opening: Opening, limits: Limits, among commons: Commons) -> any Layer
}

extension Dialect {
  public static func isSensitive(subject _: RawSpan) -> Bool { false }

  public static func noteSecrets(
    in _: Message, _: RawSpan, into _: inout ContiguousArray<Note>
  ) {}

  public static var credentialNames: [String] { [] }

  public static func mayHoldCredentials(_: RawSpan, _: Delivery) -> Bool { false }

  public static func isLesson(subject _: RawSpan) -> Bool { false }

  public static func lessons(in _: Message, _: RawSpan, about _: RawSpan) -> [Lesson] { [] }

  public static func isAnswerExpected(_: Message, _: RawSpan) -> Bool { true }

  public static func kept(
    _ opening: Opening, limits: Limits, among _: Commons
  ) -> any Layer {
    Kept(Self(opening, limits: limits))
  }
}
