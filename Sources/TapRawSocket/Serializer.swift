// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// The serializer of a RawSocket connection: the low half of the second handshake byte.
struct Serializer: Equatable, BitwiseCopyable {
  var number: UInt8

  static let json = Serializer(number: 1)
  static let messagePack = Serializer(number: 2)
  static let cbor = Serializer(number: 3)
  static let ubjson = Serializer(number: 4)
  static let flatBuffers = Serializer(number: 5)

  /// Its name, for users.
  var name: String {
    switch self {
    case .json: "JSON"
    case .messagePack: "MessagePack"
    case .cbor: "CBOR"
    case .ubjson: "UBJSON"
    case .flatBuffers: "FlatBuffers"
    default: "serializer \(number)"
    }
  }

  /// The WebSocket subprotocol with the same messages; empty for a reserved number.
  var subprotocol: String {
    switch self {
    case .json: "wamp.2.json"
    case .messagePack: "wamp.2.msgpack"
    case .cbor: "wamp.2.cbor"
    case .ubjson: "wamp.2.ubjson"
    case .flatBuffers: "wamp.2.flatbuffers"
    default: ""
    }
  }

  /// The kind of its messages for the layer above.
  var kind: Delivery.Kind { self == .json ? .text : .binary }

  /// Whether WAMP messages are recognised by their first bytes: FlatBuffers has tables.
  var hasForm: Bool { (1...4).contains(number) }
}
