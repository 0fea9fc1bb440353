// SPDX-License-Identifier: Apache-2.0
import TapNames
import TapTraffic

/// A parsed and checked filter.
indirect enum Expression {
  /// The empty filter.
  case everything
  case test(Test)
  case not(Expression)
  case and([Expression])
  case or([Expression])
  case scope(Scope, Expression)
}

/// What a matching message stands for.
enum Scope: String, Sendable, CaseIterable { case exchange, session, connection }

/// One comparison.
struct Test {
  enum Relation: UInt8, Sendable {
    /// The value is present; for a flag, it is true.
    case exists
    case equal, notEqual, less, atMost, more, atLeast, begins, ends, contains, matches
    /// In a set.
    case among
  }

  var operand: Operand
  /// The length is compared.
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

/// The path to values in a message.
struct Path: Equatable, Sendable {
  enum Root: String, Sendable {
    /// Positional arguments; the values after the name of an event.
    case args
    case kwargs
    /// Wherever the first key is found.
    case payload
    /// Options or details.
    case options
    /// STOMP headers.
    case headers
    /// MQTT properties.
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
    /// An inclusive range: of integers, nanoseconds, bytes, or ranks.
    case numbers(Int128, Int128)
    /// Nanoseconds of a day, on the displayed clock.
    case clock(Int128, Int128)
    /// Nanoseconds since the first message.
    case sinceStart(Int128, Int128)
    /// A number in a payload.
    case decimals(Decimal, Decimal)
    case text([UInt8])
    /// A pattern as in names files: `com.chat.*`.
    case subjects(SubjectPattern)
    case addresses(AddressForm)
    case yes, no, null
  }

  var value: Value
}
