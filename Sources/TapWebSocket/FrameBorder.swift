// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// How far a WebSocket frame reaches and who sent it: for bytes of both sides that stand one behind
/// the other.
public struct FrameBorder {
  /// Only clients mask (RFC 6455 §5.1).
  public let isMasked: Bool
  /// Bytes of the payload.
  public let length: UInt64

  /// Nil when the header is not all there yet.
  public init?(_ header: RawSpan) {
    guard let parsed = FrameHeader.parse(header, at: 0) else { return nil }
    (isMasked, length) = (parsed.isMasked, parsed.length)
  }
}
