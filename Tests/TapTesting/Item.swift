// SPDX-License-Identifier: Apache-2.0

/// A value to be written in several serializers, independently of the decoders.
public indirect enum Item: Sendable {
  case number(UInt32)
  case text(String)
  case list([Item])
  case map([(String, Item)])

  /// RFC 8259; texts must not need escapes.
  public var json: String {
    switch self {
    case .number(let value): "\(value)"
    case .text(let text): "\"\(text)\""
    case .list(let items): "[" + items.map(\.json).joined(separator: ",") + "]"
    case .map(let members):
      "{" + members.map { "\"\($0)\":\($1.json)" }.joined(separator: ",") + "}"
    }
  }

  /// The MessagePack specification, in its shortest forms.
  public var messagePack: [UInt8] {
    switch self {
    case .number(let value): value < 128 ? [UInt8(value)] : [0xCE] + big(value)
    case .text(let text): header(text.utf8.count, 0xA0, 31, 0xD9) + Array(text.utf8)
    case .list(let items): [0x90 | UInt8(items.count)] + items.flatMap(\.messagePack)
    case .map(let members):
      [0x80 | UInt8(members.count)]
        + members.flatMap { Item.text($0).messagePack + $1.messagePack }
    }
  }

  /// RFC 8949, in its shortest forms.
  public var cbor: [UInt8] {
    switch self {
    case .number(let value): value < 24 ? [UInt8(value)] : [0x1A] + big(value)
    case .text(let text): header(text.utf8.count, 0x60, 23, 0x78) + Array(text.utf8)
    case .list(let items): [0x80 | UInt8(items.count)] + items.flatMap(\.cbor)
    case .map(let members):
      [0xA0 | UInt8(members.count)] + members.flatMap { Item.text($0).cbor + $1.cbor }
    }
  }

  private func header(_ count: Int, _ base: UInt8, _ most: Int, _ long: UInt8) -> [UInt8] {
    count <= most ? [base | UInt8(count)] : [long, UInt8(count)]
  }

  /// UBJSON, draft 12, with big-endian integers of four bytes.
  public var ubjson: [UInt8] {
    switch self {
    case .number(let value): Array("l".utf8) + big(value)
    case .text(let text): Array("S".utf8) + length(text)
    case .list(let items): Array("[".utf8) + items.flatMap(\.ubjson) + Array("]".utf8)
    case .map(let members):
      Array("{".utf8) + members.flatMap { length($0) + $1.ubjson } + Array("}".utf8)
    }
  }

  private func length(_ text: String) -> [UInt8] {
    Array("U".utf8) + [UInt8(text.utf8.count)] + Array(text.utf8)
  }

  private func big(_ value: UInt32) -> [UInt8] {
    stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
  }
}
