// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Reads logs of programs that describe in words what they send and receive, without its bytes. A
/// dialect provides one; the log reader shows each line to all of them, and knows no program.
public protocol NarratedLog {
  /// Whether a line, taken by itself, may be of such a program. Other lines need not be read unless
  /// a line waits for its continuation.
  func mayReport(_ line: RawSpan) -> Bool

  /// Whether a program of this dialect is known to write this log, because of a line that hardly
  /// anything else looks like. Until then, `read` finds nothing.
  var isKnown: Bool { get }

  /// Examines a line before any program is known; returns whether it may be of one.
  mutating func look(at line: RawSpan) -> Bool

  /// Reads one line of a log of known programs.
  ///
  /// - Parameters:
  ///   - origin: of the line.
  ///   - narrations: receives what the line describes, or what earlier lines described if it adds
  ///     nothing to it.
  /// - Returns: whether the line is of such a program.
  mutating func read(
    _ line: RawSpan, _ origin: Origin, _ narrations: inout ContiguousArray<Narration>
  ) -> Bool

  /// No more lines come for now: reports what waited for a continuation.
  mutating func settle(_ narrations: inout ContiguousArray<Narration>)

  /// The line that waits for its continuation; nil when none does.
  var waiting: Origin? { get }
}

/// What lines of a log say about one connection.
public struct Narration: Sendable {
  public enum Event: Sendable, Equatable {
    /// A message, as text that the layer of the dialect reads.
    case message([UInt8])
    /// The same, where the log has left out parts of it; “…” stands there.
    case abridged([UInt8])
    /// A message as it was sent: the line has all its bytes.
    case octets([UInt8])
    /// A message that the program prints in a form that is not known: how its line begins there.
    case unread([UInt8])
    /// Words of the log for the layer, which are no message.
    case remark([UInt8])
    /// The end of the connection, who ended it, and words of the log for the layer; empty where
    /// there is nothing to say.
    case end(Direction, [UInt8])
    /// Two connections are open at once, and the lines do not tell them apart.
    case mixed
    /// This one and another go on at once, and what only some lines tell apart is shown with this
    /// one.
    case alsoMixed
  }

  /// The program that wrote the line.
  public var program: StaticString
  public var dialect: StaticString
  /// What tells the connection from others in the log; empty where there is only one.
  public var connection: String
  /// A connection begins with it.
  public var begins: Bool
  /// Of the line, with the direction of the message.
  public var origin: Origin
  public var event: Event

  public init(
    program: StaticString, dialect: StaticString, connection: String, begins: Bool,
    origin: Origin, event: Event
  ) {
    (self.program, self.dialect, self.connection) = (program, dialect, connection)
    (self.begins, self.origin, self.event) = (begins, origin, event)
  }
}
