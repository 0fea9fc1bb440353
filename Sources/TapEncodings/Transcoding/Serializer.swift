// SPDX-License-Identifier: Apache-2.0

/// The serializers that describe themselves, and so are transcoded without a schema.
public enum Serializer: UInt8, Sendable, CaseIterable {
  /// https://github.com/msgpack/msgpack/blob/master/spec.md, of version 5: text and bytes differ.
  case messagePack
  /// RFC 8949.
  case cbor
  /// UBJSON draft 12: numbers have the highest byte first.
  case ubjson
  /// BJData draft 3, which goes by the name of UBJSON in WAMP: numbers have the lowest byte first.
  case bjdata

  /// What it is called.
  public var title: StaticString {
    switch self {
    case .messagePack: "MessagePack"
    case .cbor: "CBOR"
    case .ubjson: "UBJSON"
    case .bjdata: "BJData"
    }
  }
}
