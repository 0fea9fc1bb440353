// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// What a framing finds next.
public enum FramedMessage {
  /// A message, and the offset at which the next one may begin.
  case message(ByteRange, next: Int)
  /// The same, but the framing passes it on itself (`StreamFraming.pass`): there is a finding about
  /// it, or it is not a message for the layer above.
  case special(ByteRange, next: Int)
  /// A message that is not complete yet: the bytes of its header, and of its body.
  case begun(head: Int, body: Int)
  /// Findings about a header, and the offset at which the header ends. The framing is then asked
  /// again for the same place. The findings have no origin yet.
  case faults([Finding], Int)
  /// No message begins here, and the findings say why. The next one has to be searched for.
  case broken([Finding])
  /// Bytes up to this offset are not part of a message.
  case skip(Int)
  /// More bytes are needed.
  case incomplete
}
