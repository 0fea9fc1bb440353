// SPDX-License-Identifier: Apache-2.0

/// The self-describing serializers, which are transcoded without a schema.
public enum Serializer: UInt8, Sendable, CaseIterable {
  /// https://github.com/msgpack/msgpack/blob/master/spec.md, version 5, which distinguishes text
  /// and binary.
  case messagePack
  /// RFC 8949.
  case cbor
  /// UBJSON draft 12: numbers are big-endian.
  case ubjson
  /// BJData draft 3, which WAMP implementations call UBJSON: numbers are little-endian.
  case bjdata

  /// Its name.
  public var title: StaticString {
    switch self {
    case .messagePack: "MessagePack"
    case .cbor: "CBOR"
    case .ubjson: "UBJSON"
    case .bjdata: "BJData"
    }
  }
}
