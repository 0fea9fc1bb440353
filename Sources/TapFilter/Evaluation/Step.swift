// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// One test of a program, and the next steps. Only numbers, so that evaluation needs no reference
/// counting.
struct Step: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    case field, id, named, path, words
    /// A test of the connection, evaluated when that opened.
    case connection
    /// `exchange(…)`, `session(…)`, `connection(…)`, `answered`, `unanswered`.
    case late
  }

  var kind: Kind
  var field = Field.event
  var relation = Test.Relation.exists
  var isLength = false
  /// It is negated: unknown results count the opposite way.
  var isNegated = false
  /// The path, the bit of the connection, or the late question.
  var number: Int32 = 0
  /// The pattern; negative for none.
  var pattern: Int32 = -1
  /// A range of the program's constants.
  var constants = ByteRange()
  /// The name of an id, or of a field in a names file.
  var word = ByteRange()
  /// The next step if true, and if not; `accept` or `reject` at the end.
  var yes = Step.accept
  var no = Step.reject

  func isField(_ field: Field) -> Bool { kind == .field && self.field == field }

  /// It asks what a message means, not how or when it was sent.
  var asksMeaning: Bool {
    switch kind {
    case .id, .named: return true
    case .field: break
    default: return false
    }
    switch field {
    case .name, .protocol, .subject, .names, .failed, .error, .answers, .carries, .latency:
      return true
    default: return false
    }
  }

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
  /// The index of the text's rarest byte, for searching.
  var rarest: Int32 = 0
  /// An index of the program's subject patterns, or addresses.
  var number: Int32 = 0
}
