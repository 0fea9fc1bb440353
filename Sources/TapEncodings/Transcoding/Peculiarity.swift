// SPDX-License-Identifier: Apache-2.0

/// Something in a serialized message that JSON cannot say, so that the JSON text does not show it
/// as it was sent. (Bytes are none: WAMP has a form of JSON for them.)
public struct Peculiarity: Sendable, Equatable, BitwiseCopyable {
  public enum Kind: UInt8, Sendable, BitwiseCopyable {
    /// Text that is no UTF-8; it is shown as bytes are.
    case invalidUTF8
    /// Text that begins with U+0000: it looks like bytes now, but is text.
    case leadingNUL
    /// NaN or an infinity: written as `NaN`, `Infinity`, `-Infinity`, so that the text is no JSON.
    case nonFinite
    /// `undefined` of JavaScript; shown as null.
    case undefined
    /// A simple value of CBOR that has no meaning (`value`); shown as null (RFC 8949 §6.1).
    case simpleValue
    /// A tag of CBOR (`value`); what it stands before is shown without it.
    case tag
    /// An extension type of MessagePack (`value`, as a signed byte); its bytes are shown.
    case `extension`
    /// A timestamp of MessagePack; shown as seconds since 1970.
    case timestamp
    /// A key that is no text; shown as the text of its JSON.
    case nonStringKey
    /// A key that its object has already; both are shown.
    case duplicateKey
    /// More keys than are compared with each other; from here on none are.
    case keysUnchecked
    /// A high-precision number of UBJSON that is no number; shown as text.
    case notANumber
    /// A no-op of UBJSON; not shown.
    case noOp
    /// An array of BJData with several dimensions; shown as arrays in arrays.
    case dimensions
    /// A field of a FlatBuffers table (`value`: its slot) that the message has no place for; not
    /// shown.
    case unplacedField
    /// A part in another serializer (args, kwargs of FlatBuffers) that cannot be read; shown as
    /// bytes.
    case unreadablePart
  }

  public var kind: Kind
  /// Where in the serialized message it stands, in bytes from the start.
  public var offset: Int
  /// The number that belongs to it, where the kind has one.
  public var value: UInt64

  public init(_ kind: Kind, offset: Int, value: UInt64 = 0) {
    (self.kind, self.offset, self.value) = (kind, offset, value)
  }

  /// For people: what it is, and how it is shown.
  public var description: String {
    switch kind {
    case .invalidUTF8: "text that is not UTF-8 at byte \(offset), shown as binary"
    case .leadingNUL: "text that begins with U+0000 at byte \(offset), which looks like binary"
    case .nonFinite: "NaN or Infinity at byte \(offset), which is no JSON"
    case .undefined: "undefined at byte \(offset), shown as null"
    case .simpleValue: "simple value \(value) at byte \(offset), shown as null"
    case .tag: "tag \(value) at byte \(offset), shown without it"
    case .extension:
      "extension type \(Int8(truncatingIfNeeded: value)) at byte \(offset), shown as binary"
    case .timestamp: "a timestamp at byte \(offset), shown as seconds since 1970"
    case .nonStringKey: "a key that is not text at byte \(offset), shown as text"
    case .duplicateKey: "a key at byte \(offset) that the object has already"
    case .keysUnchecked: "very many keys; from byte \(offset) on they are not compared"
    case .notANumber: "a high-precision number at byte \(offset) that is none, shown as text"
    case .noOp: "a no-op at byte \(offset), not shown"
    case .dimensions: "an array of several dimensions at byte \(offset), shown as nested lists"
    case .unplacedField: "field \(value) of the table at byte \(offset), not shown"
    case .unreadablePart: "a part that cannot be read at byte \(offset), shown as binary"
    }
  }
}
