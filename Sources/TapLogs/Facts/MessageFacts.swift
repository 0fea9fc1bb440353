// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// What a line says of one message on it. What is not said anew of the next message still holds, as
/// one mark may stand before several.
struct MessageFacts {
  /// How much a program has printed of a string whose length it says.
  enum Extent {
    case whole, cut
  }

  /// Behind the message before it: what stands from here on is of this one.
  var begin = 0
  /// The rule that the line follows, or what its words say.
  var match: LogMatch?
  /// The shape of the text before it (`LogRules.shape`).
  var shape: UInt64 = 0
  /// Messages stood behind the same words before.
  var isExpected = false
  /// It follows another one of the same batch.
  var isOfBatch = false
  /// The line says that what stands there was sent.
  var isSent = false
  /// The members around it, where they were asked who sends.
  var members: LogSurroundings?
  /// The members around the message have named the sender.
  var isMatchOfMembers = false
  /// The string literal that the object before stood in; another may stand in the same.
  var literal: Range<Int>?
  /// Its time, once that was read.
  var moment: LogMoment?
  /// Bytes of it that were sent, as the line says; 0 where it does not.
  var length = 0
  /// Bytes of its beginning that the line has, where it lacks the rest.
  var certain = 0
  /// Nil where no length was read.
  var extent: Extent?

  /// The words before a list are those of messages, or messages stood behind them before.
  var isOfMessages: Bool { match != nil || isExpected }

  /// The kind of the message, given what its line says: if the line states another length,
  /// something of the message is missing.
  func kind(of bytes: RawSpan, as found: Delivery.Kind) -> Delivery.Kind {
    if found != .text { return found }
    if UTF8.firstInvalid(in: bytes) != nil { return .brokenText }
    return extent != nil && length > 0 && length != bytes.byteCount ? .abridged : .text
  }
}
