// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// What a framing finds.
enum FramedMessage {
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
