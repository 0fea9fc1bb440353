// SPDX-License-Identifier: Apache-2.0

/// How well a text matches a message of a dialect, and what that message says about its
/// conversation.
@frozen public struct Recognition: Sendable, BitwiseCopyable {
  public enum Grade: UInt8, Sendable, Comparable, BitwiseCopyable {
    case none
    /// Its form is so general that it proves nothing: a JSON object.
    case general
    /// Its form fits, but others have that form, too.
    case possible
    /// Hardly anything else has that form.
    case likely

    public static func < (left: Grade, right: Grade) -> Bool { left.rawValue < right.rawValue }
  }

  /// Where a text was found: the same text is a message in one place and data in another.
  public indirect enum Context: Sendable {
    /// Among other texts, such as the lines of a log.
    case text
    /// On a log line that says that somebody sent it.
    case sent
    /// Alone, pasted by a user.
    ///
    /// - Parameter isSpoken: a message of this dialect came before it, or the user named the
    ///   dialect.
    case paste(isSpoken: Bool)
    /// A message of a conversation that no dialect has claimed yet. One that is not the first needs
    /// stronger evidence, as those before it matched no dialect.
    case conversation(Opening, isFirst: Bool)
  }

  public var grade: Grade
  /// The direction of such messages; unknown when both sides send them.
  public var direction = Direction.unknown
  /// `direction` is only the usual one: if a log line says otherwise, the line is right.
  public var isUsualDirection = false
  /// It begins a session; `ends`: it ends one.
  public var begins = false
  public var ends = false
  /// It ends it for both sides: no answer to it is expected.
  public var endsForBoth = false
  /// The id of the session that it opens; 0 for none.
  public var session: UInt64 = 0
  /// The exchange that it begins or answers, as a number that request and answer share; 0 for none.
  public var opens: UInt64 = 0
  public var answers: UInt64 = 0
  /// What it grants to its session, as a number that everything delivered under the grant shares; 0
  /// for nothing.
  public var grants: UInt64 = 0
  /// The grant under which it is delivered, or that it gives back; 0 for none.
  public var uses: UInt64 = 0
  /// The position of its request in a count from 1 that each session keeps without gaps; 0 for
  /// none.
  public var sequence: UInt64 = 0
  /// Sessions of its protocol number their requests, which helps to tell two sessions apart.
  public var isCounted = false
  /// Other protocols have messages like it: it is one only if it answers an earlier request.
  public var isAnswerOnly = false
  /// It is one only where a line says that somebody sent it: records of logs look the same.
  public var needsSender = false
  /// It proves nothing by itself, like the ping of some protocols; the next message may decide.
  public var isUndecided = false
  /// It is not a valid message, but begins like one, and is a JSON list.
  public var isMalformed = false
  /// The dialect of which it must be a malformed message, provided that something says it was sent;
  /// empty where it may be something else.
  public var malformedDialect: StaticString = ""

  public init(_ grade: Grade) { self.grade = grade }

  /// See `malformedDialect`.
  public var isCertainlyMalformed: Bool { malformedDialect.utf8CodeUnitCount > 0 }

  public static let none = Recognition(.none)
}
