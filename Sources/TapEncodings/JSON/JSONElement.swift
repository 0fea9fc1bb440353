// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// The kind and the range of one value in a JSON text.
@frozen public struct JSONElement: Sendable, BitwiseCopyable {
  public enum Kind: UInt8, Sendable, BitwiseCopyable {
    case object, array, string
    /// Digits only: no sign, fraction or exponent.
    case natural
    /// Any other number.
    case number
    case yes, no, null
    /// `NaN`, `Infinity`, `-Infinity`: not JSON, but some encoders write them.
    case nonFinite

    /// Words for findings: "an object", "a string".
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

  /// The range between the quotes or brackets; meaningless for other values.
  @inlinable public var content: ByteRange {
    ByteRange(range.start + 1, max(range.start + 1, range.end - 1))
  }

  /// A string without its quotes, and the whole of any other value.
  @inlinable public var text: ByteRange { kind == .string ? content : range }

  /// `[]`, `{}` or `""`.
  @inlinable public var isEmptyContent: Bool { range.count == 2 }
}
