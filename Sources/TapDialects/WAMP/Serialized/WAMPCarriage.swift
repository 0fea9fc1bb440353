// SPDX-License-Identifier: Apache-2.0

/// How the messages of a connection are carried, as its subprotocol says.
struct WAMPCarriage: Sendable, Equatable {
  var serializer: WAMPSerializer
  /// Several messages in one of WebSocket.
  var isBatched = false

  /// One JSON text in each WebSocket message.
  static let plain = WAMPCarriage(serializer: .json)

  /// In text messages, not in binary ones.
  var isText: Bool { serializer == .json }

  init(serializer: WAMPSerializer, isBatched: Bool = false) {
    (self.serializer, self.isBatched) = (serializer, isBatched)
  }

  /// `wamp.2.cbor.batched`; nil when it is no subprotocol whose serializer is known here.
  init?(subprotocol: [UInt8]) {
    var name = String(decoding: subprotocol, as: Unicode.UTF8.self)[...]
    guard name.hasPrefix("wamp.2.") else { return nil }
    name = name.dropFirst("wamp.2.".count)
    let isBatched = name.hasSuffix(".batched")
    if isBatched { name = name.dropLast(".batched".count) }
    switch name {
    case "json": serializer = .json
    case "msgpack": serializer = .messagePack
    case "cbor": serializer = .cbor
    case "ubjson": serializer = .ubjson
    // Nobody has ever said how batches of it would look.
    case "flatbuffers" where !isBatched: serializer = .flatBuffers
    default: return nil
    }
    self.isBatched = isBatched
  }

  /// For people.
  var name: StaticString {
    switch serializer {
    case .json: isBatched ? "JSON, batched" : "JSON"
    case .messagePack: isBatched ? "MessagePack, batched" : "MessagePack"
    case .cbor: isBatched ? "CBOR, batched" : "CBOR"
    case .ubjson: isBatched ? "UBJSON, batched" : "UBJSON"
    case .flatBuffers: "FlatBuffers"
    }
  }
}
