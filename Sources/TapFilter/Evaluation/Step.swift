// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// One test of a program, and where it goes on. Numbers only: running one counts no reference.
struct Step: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    case field, id, named, path, words
    /// A test of the connection, which was made when that opened.
    case connection
    /// `exchange(…)`, `session(…)`, `connection(…)`, `answered`, `unanswered`.
    case late
  }

  var kind: Kind
  var field = Field.event
  var relation = Test.Relation.exists
  var isLength = false
  /// `not` stands before it: what is unknown counts the other way round.
  var isNegated = false
  /// The path, the bit of the connection, or the late question.
  var number: Int32 = 0
  /// The pattern; negative for none.
  var pattern: Int32 = -1
  /// Of the program's constants.
  var constants = ByteRange()
  /// The name of an id or of a field that a names file names.
  var word = ByteRange()
  /// The next step when it is true, or not; `accept` or `reject` at the end.
  var yes = Step.accept
  var no = Step.reject

  static let accept: Int32 = -1
  static let reject: Int32 = -2
}

/// A literal, in numbers.
struct Constant: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    case numbers, clock, sinceStart, decimals, text, subjects, addresses, yes, no, null
  }

  var kind: Kind
  var low: Int128 = 0
  var high: Int128 = 0
  var first = Decimal(digits: 0)
  var last = Decimal(digits: 0)
  var text = ByteRange()
  /// The place of the rarest byte of the text, for searching.
  var rarest: Int32 = 0
  /// Of the program's patterns of subjects, or addresses.
  var number: Int32 = 0
}
