// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Recognises TCP streams of one dialect by content, never by port. One instance sees one stream,
/// and may keep what it has seen.
public protocol StreamRecogniser {
  /// Whether a stream begins like this dialect.
  ///
  /// - Parameters:
  ///   - first: everything that one side has sent so far.
  ///   - direction: the direction of these bytes.
  /// - Returns: nil while more bytes are needed to decide.
  mutating func recognise(first: RawSpan, _ direction: Direction) -> Bool?

  /// Looks at the next bytes of a stream whose beginning was not captured.
  ///
  /// - Returns: nil while the stream is not recognised.
  mutating func recognise(midstream bytes: RawSpan, _ delivery: Delivery) -> MessagesMidstream?
}

/// Messages that were recognised in the middle of a stream.
public struct MessagesMidstream {
  /// Of these bytes, as shown by the messages; `unknown` when both sides send such messages, and
  /// the guessed sides are kept.
  public let direction: Direction
  /// From the first of them to the end of the bytes that this side has sent so far.
  public let length: Int
}
