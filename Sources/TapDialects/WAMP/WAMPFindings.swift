// SPDX-License-Identifier: Apache-2.0
import TapTraffic

extension Finding.Code {
  /// The payload is no JSON, though wamp.2.json was negotiated. The peer must abort.
  static let decodeFailed: Self = "wamp.decode-failed"
  /// `NaN` or `Infinity` in the payload: no JSON (RFC 8259 §6), but some encoders write it.
  static let notStrictJSON: Self = "wamp.not-strict-json"
  /// Octets after a complete message in unbatched mode.
  static let trailingBytes: Self = "wamp.trailing-bytes"
  /// The top level of a message must be a list.
  static let notAList: Self = "wamp.not-a-list"
  /// `[]`: an explicit protocol error.
  static let emptyList: Self = "wamp.empty-list"
  /// The type code is not an integer, or no core message has it.
  static let badTypeCode: Self = "wamp.bad-type-code"
  /// A code from 256 to 1023: an extension of some implementation.
  static let extensionCode: Self = "wamp.extension-code"
  /// HEARTBEAT was removed from WAMP in 2015: an ancient peer.
  static let heartbeatLegacy: Self = "wamp.heartbeat-legacy"
  /// The list is longer or shorter than its type allows.
  static let wrongArity: Self = "wamp.wrong-arity"
  /// An element is not of the kind that its place asks for; WAMP knows no polymorphism.
  static let wrongElementType: Self = "wamp.wrong-element-type"
  /// An id is 0, negative or above 2^53.
  static let idOutOfRange: Self = "wamp.id-out-of-range"
  /// An id is sent as a float, as JavaScript encoders do with large integers.
  static let idFloat: Self = "wamp.id-float"
  /// The server accepted WebSocket without choosing a subprotocol: the serializer is a guess.
  static let subprotocolMissing: Self = "wamp.subprotocol-missing"
  /// A binary frame under a text serializer: the subprotocol fixes the frame type.
  static let opcodeMismatch: Self = "websocket.frame-opcode-mismatch"
}

extension WAMPArray.Fault {
  var code: Finding.Code {
    switch self {
    case .notJSON: .decodeFailed
    case .trailing: .trailingBytes
    case .notAList: .notAList
    case .empty: .emptyList
    case .badCode: .badTypeCode
    case .extensionCode: .extensionCode
    case .arity: .wrongArity
    case .element: .wrongElementType
    case .idRange: .idOutOfRange
    case .idFloat: .idFloat
    }
  }
}
