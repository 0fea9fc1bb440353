// SPDX-License-Identifier: Apache-2.0

/// The opcode of a WebSocket frame (RFC 6455 §5.2), as sent. Values without a name here are
/// reserved.
public struct Opcode: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable {
  public let rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  @inlinable public static var continuation: Opcode { Opcode(rawValue: 0) }
  @inlinable public static var text: Opcode { Opcode(rawValue: 1) }
  @inlinable public static var binary: Opcode { Opcode(rawValue: 2) }
  @inlinable public static var close: Opcode { Opcode(rawValue: 8) }
  @inlinable public static var ping: Opcode { Opcode(rawValue: 9) }
  @inlinable public static var pong: Opcode { Opcode(rawValue: 10) }

  /// Of a control frame (§5.5); otherwise of a message, or of a fragment of one.
  @inlinable public var isControl: Bool { rawValue >= 8 }
  @inlinable public var isKnown: Bool {
    self <= .binary || (.close ... .pong).contains(self)
  }

  /// The opcode of a frame or message that the evidence has as a whole, so never a continuation;
  /// nil for a reserved value.
  public init?(ofWhole code: Int64) {
    guard let rawValue = UInt8(exactly: code) else { return nil }
    self.rawValue = rawValue
    if !isKnown || self == .continuation { return nil }
  }

  @inlinable public static func < (left: Opcode, right: Opcode) -> Bool {
    left.rawValue < right.rawValue
  }
}
