// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Tells TCP streams that speak one dialect from others, by content and never by port. It is asked
/// about one stream, and may keep what it has seen of it.
public protocol StreamRecogniser {
  /// Whether a stream begins as this dialect does.
  ///
  /// - Parameters:
  ///   - first: all that one side has sent so far, from its first byte on.
  ///   - direction: where it goes.
  /// - Returns: nil until more bytes tell.
  mutating func recognise(first: RawSpan, _ direction: Direction) -> Bool?

  /// Looks at the next bytes of a stream whose beginning was not captured.
  ///
  /// - Returns: nil while they do not show that the stream speaks this dialect. Then where the
  ///   bytes go, as the messages in them say; `unknown` where both sides send such messages, and
  ///   the guess about the sides stands.
  mutating func recognise(midstream bytes: RawSpan, _ delivery: Delivery) -> Direction?
}
