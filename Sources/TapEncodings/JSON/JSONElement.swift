// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// One value of a JSON text: what it is and where it stands.
@frozen public struct JSONElement: Sendable, BitwiseCopyable {
  public enum Kind: UInt8, Sendable, BitwiseCopyable {
    case object, array, string
    /// Digits only: no sign, fraction or exponent.
    case natural
    /// Any other number.
    case number
    case yes, no, null
    /// `NaN`, `Infinity`, `-Infinity`: no JSON, but sent by encoders that know no better.
    case nonFinite

    /// For messages to people: "an object", "a string".
    public var description: String {
      switch self {
      case .object: "an object"
      case .array: "a list"
      case .string: "a string"
      case .natural: "an integer"
      case .number: "a number"
      case .yes, .no: "a boolean"
      case .null: "null"
      case .nonFinite: "NaN or Infinity"
      }
    }
  }

  public var kind: Kind
  /// The whole value; for a string with its quotes.
  public var range: ByteRange

  @inlinable public init(_ kind: Kind, _ range: ByteRange) {
    self.kind = kind
    self.range = range
  }

  /// What stands between the quotes or brackets; of any other value something that means nothing,
  /// empty where that has one byte.
  @inlinable public var content: ByteRange {
    ByteRange(range.start + 1, max(range.start + 1, range.end - 1))
  }

  /// `[]`, `{}` or `""`.
  @inlinable public var isEmptyContent: Bool { range.count == 2 }
}
