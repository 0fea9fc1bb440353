// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// How the messages of a RawSocket connection are written: the low half of the second byte of a
/// handshake.
struct Serializer: Equatable, BitwiseCopyable {
  var number: UInt8

  static let json = Serializer(number: 1)
  static let messagePack = Serializer(number: 2)
  static let cbor = Serializer(number: 3)
  static let ubjson = Serializer(number: 4)
  static let flatBuffers = Serializer(number: 5)

  /// In words for people.
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

  /// What the same messages are called over WebSocket; empty for a number that is reserved.
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

  /// What a message of it is to the layer above.
  var kind: Delivery.Kind { self == .json ? .text : .binary }

  /// Whether a message of WAMP can be told by its first bytes: FlatBuffers has tables.
  var hasForm: Bool { (1...4).contains(number) }
}
