// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// How the messages of a connection are encoded and framed, according to its subprotocol.
struct WAMPCarriage: Sendable, Equatable {
  var serializer: WAMPSerializer
  /// A WebSocket message holds a batch of WAMP messages.
  var isBatched = false

  /// One JSON text in each WebSocket message.
  static let plain = WAMPCarriage(serializer: .json)

  /// Sent in text messages, not in binary ones.
  var isText: Bool { serializer == .json }

  init(serializer: WAMPSerializer, isBatched: Bool = false) {
    (self.serializer, self.isBatched) = (serializer, isBatched)
  }

  /// Parses a subprotocol such as `wamp.2.cbor.batched`; nil when it is not WAMP or its serializer
  /// is not known.
  init?(subprotocol: [UInt8]) {
    let text = subprotocol.span.bytes
    guard text.starts(with: "wamp.2.") else { return nil }
    var name = text.dropping("wamp.2.".utf8.count)
    let suffix: StaticString = ".batched"
    let start = name.byteCount - suffix.utf8CodeUnitCount
    isBatched = start > 0 && name.dropping(max(0, start)).equals(suffix)
    if isBatched { name = name.extracting(0..<start) }
    if name.equals("json") {
      serializer = .json
    } else if name.equals("msgpack") {
      serializer = .messagePack
    } else if name.equals("cbor") {
      serializer = .cbor
    } else if name.equals("ubjson") {
      serializer = .ubjson
    } else if name.equals("flatbuffers") && !isBatched {
      // Batches of FlatBuffers are not specified.
      serializer = .flatBuffers
    } else {
      return nil
    }
  }

  /// As shown to users.
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
