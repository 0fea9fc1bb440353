// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// How the messages of one direction of a stream are delimited. `FramedLayer` does the rest: it
/// holds, gives up, searches and accounts for bytes.
public protocol StreamFraming: AnyObject {
  var traits: FramingTraits { get }

  /// Finds the next message, whose beginning is known.
  ///
  /// - Parameters:
  ///   - start: where it begins.
  ///   - isEnd: no more bytes come in this direction.
  func next(in bytes: RawSpan, from start: Int, isEnd: Bool) -> FramedMessage

  /// Passes on a message that `next` found to be `.special`.
  ///
  /// - Parameter record: the packet of the first byte, header included.
  func pass(
    _ message: RawSpan, _ delivery: Delivery, from record: UInt64, _ above: inout any Layer,
    _ listener: any Listener
  ) -> FramedKind

  /// Searches for the beginning of a message; nil when these bytes show none.
  func beginning(in held: ResyncBuffer, _ end: SearchEnd) -> Int?

  /// The first `count` bytes were passed on or skipped, and are gone.
  func removed(_ count: Int)

  /// Bytes are missing: the next ones may be in the middle of a message.
  func resynchronise()

  /// The text of the finding about a message that is not shown; nil where enough was said about it.
  ///
  /// - Parameter captured: how many bytes of it were captured.
  func words(for loss: MessageLoss, captured: Int) -> String?

  /// No more comes in this direction.
  func finish(_ listener: any Listener)
}

extension StreamFraming {
  public func finish(_: any Listener) {}

  public func words(for loss: MessageLoss, captured: Int) -> String? {
    loss.words(captured: captured)
  }
}

/// What `pass` passed on.
public enum FramedKind {
  case message
  /// It concerns the connection, and does not count as a message.
  case control
  /// It could not be identified.
  case nothing
}

/// What follows the bytes that are searched.
public enum SearchEnd {
  case more
  /// A gap of this many bytes; nil for an unknown number.
  case gap(Int?)
  case end
}
