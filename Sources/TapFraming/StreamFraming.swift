// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// How the messages of one direction of a stream are told from each other. What is held, given up,
/// searched and accounted for is the business of `FramedLayer`.
public protocol StreamFraming: AnyObject {
  var traits: FramingTraits { get }

  /// Finds the next message, where it is known where it begins.
  ///
  /// - Parameters:
  ///   - start: where it begins: behind the last.
  ///   - isEnd: no more bytes come in this direction.
  func next(in bytes: RawSpan, from start: Int, isEnd: Bool) -> FramedMessage

  /// Passes on, or tells, what was found to be special.
  ///
  /// - Parameter record: of the first byte of all of it.
  func pass(
    _ message: RawSpan, _ delivery: Delivery, from record: UInt64, _ above: inout any Layer,
    _ listener: any Listener
  ) -> FramedKind

  /// Where a message begins, if that is not known; nil when these bytes do not tell.
  func beginning(in held: ResyncBuffer, _ end: SearchEnd) -> Int?

  /// The first bytes, which were passed on or over, are no longer there.
  func removed(_ count: Int)

  /// Bytes are missing: what comes next may begin inside of a message.
  func resynchronise()

  /// The words for a message that is not shown; nil where enough was told of it.
  ///
  /// - Parameter captured: bytes of it.
  func words(for loss: MessageLoss, captured: Int) -> String?

  /// No more comes in this direction.
  func finish(_ listener: any Listener)
}

extension StreamFraming {
  public func removed(_: Int) {}
  public func finish(_: any Listener) {}

  public func words(for loss: MessageLoss, captured: Int) -> String? {
    loss.words(captured: captured)
  }
}

/// What was passed on.
public enum FramedKind {
  case message
  /// What says something of the connection, and is not counted as a message.
  case control
  /// What it is, is not known.
  case nothing
}

/// What comes behind bytes that are searched.
public enum SearchEnd {
  case more
  /// Bytes that were not captured; how many, where that is known.
  case gap(Int?)
  case end
}
