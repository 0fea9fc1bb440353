// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// Where messages begin and end in one direction of a stream of bytes.
public protocol MessageFraming {
  /// Finds the next message, where it is known where it begins.
  ///
  /// - Parameters:
  ///   - start: where it begins: behind the last.
  ///   - isEnd: no more bytes come in this direction.
  mutating func next(in bytes: RawSpan, from start: Int, isEnd: Bool) -> FramedMessage

  /// Where a message begins, if that is not known; nil when these bytes do not tell.
  mutating func beginning(in held: ResyncBuffer, isEnd: Bool) -> Int?

  /// How many bytes the message at the beginning of these takes, with all that stands before it,
  /// where a length says so; nil where only its end tells.
  func announcedSize(_ bytes: RawSpan) -> Int?

  /// The first bytes, which were passed on or over, are no longer there.
  mutating func removed(_ count: Int)

  /// Bytes are missing: what comes next may begin inside of a message.
  mutating func resynchronise()
}

/// What a framing finds.
public enum FramedMessage {
  /// A message, and where the next may begin.
  case message(ByteRange, next: Int)
  /// A message that is longer than the bytes which its length announced.
  case miscounted(ByteRange, next: Int, announced: Int)
  /// What begins here is no message; why not, in words. The next one has to be found.
  case broken(StaticString)
  /// Bytes up to here are part of no message.
  case skip(Int)
  /// More bytes are needed.
  case incomplete
}
