// SPDX-License-Identifier: Apache-2.0

/// Something in a serialized message that JSON cannot express, so that the JSON text differs from
/// what was sent. (Binary values are not peculiar: WAMP has a JSON form for them.)
public struct Peculiarity: Sendable, Equatable, BitwiseCopyable {
  public enum Kind: UInt8, Sendable, BitwiseCopyable {
    /// Text that is not UTF-8; shown as binary.
    case invalidUTF8
    /// Text that begins with U+0000, so that it looks like binary.
    case leadingNUL
    /// NaN or an infinity: written as `NaN`, `Infinity`, `-Infinity`, which is not JSON.
    case nonFinite
    /// JavaScript's `undefined`; shown as null.
    case undefined
    /// An unassigned CBOR simple value (`value`); shown as null (RFC 8949 §6.1).
    case simpleValue
    /// A CBOR tag (`value`); its item is shown without it.
    case tag
    /// A MessagePack extension type (`value`, as a signed byte); its bytes are shown.
    case `extension`
    /// A MessagePack timestamp; shown as seconds since 1970.
    case timestamp
    /// A key that is not a string; shown as its JSON in quotes.
    case nonStringKey
    /// A repeated key of an object; both are shown.
    case duplicateKey
    /// More keys than are compared; later ones are not checked for repetition.
    case keysUnchecked
    /// A UBJSON high-precision number that is not a number; shown as text.
    case notANumber
    /// A UBJSON no-op; not shown.
    case noOp
    /// A BJData array with several dimensions; shown as nested arrays.
    case dimensions
    /// A FlatBuffers field (`value`: its slot) that the message has no place for; not shown.
    case unplacedField
    /// An unreadable part in another serializer (args, kwargs of FlatBuffers); shown as binary.
    case unreadablePart
  }

  public var kind: Kind
  /// Its offset in the serialized message, in bytes.
  public var offset: Int
  /// The number that the kind describes, if any.
  public var value: UInt64

  public init(_ kind: Kind, offset: Int, value: UInt64 = 0) {
    (self.kind, self.offset, self.value) = (kind, offset, value)
  }

  /// For users: what it is, and how it is shown.
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
