// SPDX-License-Identifier: Apache-2.0

/// The status codes of a CLOSE frame (RFC 6455 §7.4 and the IANA registry).
public enum CloseCode {
  /// The name of a code, in the words of the registry.
  public static func name(_ code: UInt16) -> StaticString {
    switch code {
    case 1000: "normal closure"
    case 1001: "going away"
    case 1002: "protocol error"
    case 1003: "unsupported data"
    case 1004: "reserved"
    case 1005: "no status received"
    case 1006: "abnormal closure"
    case 1007: "invalid frame payload data"
    case 1008: "policy violation"
    case 1009: "message too big"
    case 1010: "mandatory extension"
    case 1011: "internal error"
    case 1012: "service restart"
    case 1013: "try again later"
    case 1014: "bad gateway"
    case 1015: "TLS handshake"
    case 3000: "unauthorized"
    case 3003: "forbidden"
    case 3008: "timeout"
    case 3000...3999: "registered by a library or framework"
    case 4000...4999: "private to the application"
    default: "unassigned"
    }
  }

  /// Whether an endpoint may send it (RFC 6455 §7.4.1: 1004, 1005, 1006 and 1015 never are).
  public static func maySend(_ code: UInt16) -> Bool {
    switch code {
    case _ where isLocal(code): false
    case 1000...1014, 3000...4999: true
    default: false
    }
  }

  /// Whether the code only stands for what an endpoint saw locally (RFC 6455 §7.4.1), or is
  /// reserved without a meaning.
  static func isLocal(_ code: UInt16) -> Bool {
    switch code {
    case 1004, 1005, 1006, 1015: true
    default: false
    }
  }

  /// Whether the application's protocol defines what the code means (RFC 6455 §7.4.2).
  static func isPrivate(_ code: UInt16) -> Bool { (3000...4999).contains(code) }

  /// Whether the code reports an error, of the other side or of the sender itself.
  static func isFailure(_ code: UInt16) -> Bool {
    switch code {
    case 1002, 1003, 1007...1011: true
    default: false
    }
  }
}
