// SPDX-License-Identifier: Apache-2.0

/// How much a text is like a message of a dialect, and what that message says of the conversation
/// around it.
@frozen public struct Recognition: Sendable, BitwiseCopyable {
  public enum Grade: UInt8, Sendable, Comparable, BitwiseCopyable {
    case none
    /// Its form is so general that it says nothing: a JSON object.
    case general
    /// Its form fits; but others have that form, too.
    case possible
    /// Hardly anything else has that form.
    case likely

    public static func < (left: Grade, right: Grade) -> Bool { left.rawValue < right.rawValue }
  }

  /// Where a text stands that is to be recognised: the same text is a message in one place and
  /// data in another.
  public indirect enum Context: Sendable {
    /// Among other texts, such as the lines of a log.
    case text
    /// On such a line, which says that somebody sent it.
    case sent
    /// Alone, as somebody has pasted it.
    ///
    /// - Parameter isSpoken: a message of this dialect came before it, or the user has said so.
    case paste(isSpoken: Bool)
    /// A message of a conversation that no dialect has claimed; one behind the first has to tell
    /// more of itself, as others were none.
    case conversation(Opening, isFirst: Bool)
  }

  public var grade: Grade
  /// Where such messages go; unknown when both sides send them.
  public var direction = Direction.unknown
  /// Either side may send such messages, but hardly ever does: what a line says goes before it.
  public var isUsualDirection = false
  /// It begins a session, or ends one.
  public var begins = false
  public var ends = false
  /// The id of the session that it opens; 0 for none.
  public var session: UInt64 = 0
  /// The exchange that it begins, or answers, as a number that both share; 0 for none.
  public var opens: UInt64 = 0
  public var answers: UInt64 = 0
  /// What is granted with it to its session, as a number that all that is delivered under it
  /// share; 0 for nothing.
  public var grants: UInt64 = 0
  /// What it is delivered under, or gives back; 0 for nothing.
  public var uses: UInt64 = 0
  /// The place of its request in a count from 1 that each session keeps, without leaving out any;
  /// 0 for none.
  public var sequence: UInt64 = 0
  /// Sessions of its protocol count their requests, so that two of them can be told apart.
  public var isCounted = false
  /// Other protocols have messages like it: it is one only if it answers what was asked before.
  public var isAnswerOnly = false
  /// It is one only where a line says that somebody sent it: a record of a log looks the same.
  public var needsSender = false
  /// It says nothing by itself, as a ping of some protocols; the message behind it may tell.
  public var isUndecided = false
  /// It is none; but it begins as one does, and is a list of JSON.
  public var isMalformed = false
  /// Nothing but a malformed message of this dialect looks like it, where something says that it
  /// was sent; empty where other things do.
  public var malformedDialect: StaticString = ""

  public init(_ grade: Grade) { self.grade = grade }

  /// See `malformedDialect`.
  public var isCertainlyMalformed: Bool { malformedDialect.utf8CodeUnitCount > 0 }

  public static let none = Recognition(.none)
}
