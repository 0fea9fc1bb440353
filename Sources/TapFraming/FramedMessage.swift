// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// What a framing finds.
public enum FramedMessage {
  /// A message, and where the next may begin.
  case message(ByteRange, next: Int)
  /// The same, which the framing passes on itself: something is to be told of it, or it is no
  /// message to the layer above.
  case special(ByteRange, next: Int)
  /// A message that is not whole: bytes before it, and of it.
  case begun(head: Int, body: Int)
  /// What is wrong with a header, and where that ends; the same place is looked at again. The
  /// findings are yet to be placed.
  case faults([Finding], Int)
  /// What begins here is no message; why not. The next one has to be found.
  case broken([Finding])
  /// Bytes up to here are part of no message.
  case skip(Int)
  /// More bytes are needed.
  case incomplete
}
