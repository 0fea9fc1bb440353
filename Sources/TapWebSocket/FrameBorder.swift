// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The length and the sender of a WebSocket frame, for bytes of both sides that are interleaved.
public struct FrameBorder {
  /// Only clients mask (RFC 6455 §5.1).
  public let isMasked: Bool
  /// Bytes of the payload.
  public let length: UInt64

  /// Nil while the header is incomplete.
  public init?(_ header: RawSpan) {
    guard let parsed = FrameHeader.parse(header, at: 0) else { return nil }
    (isMasked, length) = (parsed.isMasked, parsed.length)
  }
}
