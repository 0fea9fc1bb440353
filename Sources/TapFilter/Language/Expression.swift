// SPDX-License-Identifier: Apache-2.0
import TapNames

/// A filter, read and checked.
indirect enum Expression {
  /// The empty filter.
  case everything
  case test(Test)
  case not(Expression)
  case and([Expression])
  case or([Expression])
  case scope(Scope, Expression)
}

/// What belongs to a message that matches.
enum Scope: String, Sendable, CaseIterable { case exchange, session, connection }

/// One comparison.
struct Test {
  enum Relation: UInt8, Sendable {
    /// It is there; of what is yes or no, yes.
    case exists
    case equal, notEqual, less, atMost, more, atLeast, begins, ends, contains, matches
    /// In a set.
    case among
  }

  var operand: Operand
  /// What is compared is how long it is.
  var isLength = false
  var relation: Relation
  var literals: [Literal] = []
  var pattern: Pattern?
}

/// The left side of a comparison.
enum Operand {
  case field(Field)
  /// `ids.request`.
  case id([UInt8])
  /// `names.kwargs.type`.
  case named([UInt8])
  case path(Path)
  /// `payload` or `subject`.
  case words
}

/// The way to values in a message.
struct Path: Equatable, Sendable {
  enum Root: String, Sendable {
    /// Positional arguments; what follows the name of an event.
    case args
    case kwargs
    /// Wherever the first key is found.
    case payload
    /// Options or details.
    case options
    /// Of STOMP.
    case headers
    /// Of MQTT.
    case properties
    /// From the top of the message.
    case body
  }

  enum Step: Equatable, Sendable {
    case key([UInt8])
    case element(Int)
    /// `[*]`.
    case every
  }

  var root: Root
  var steps: [Step] = []
}

/// The right side of a comparison.
struct Literal: Sendable {
  enum Value: Sendable {
    /// From the first to the last, both included: integers, nanoseconds, bytes, ranks.
    case numbers(Int128, Int128)
    /// Nanoseconds of a day, on the clock that is shown.
    case clock(Int128, Int128)
    /// Nanoseconds since the first message.
    case sinceStart(Int128, Int128)
    /// The number of a payload.
    case decimals(Decimal, Decimal)
    case text([UInt8])
    /// A pattern as of names files: `com.chat.*`.
    case subjects(SubjectPattern)
    case addresses(AddressForm)
    case yes, no, null
  }

  var value: Value
}
