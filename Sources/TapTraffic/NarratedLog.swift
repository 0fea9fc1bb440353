// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Reads logs of programs that say in words what they send and receive, and print none of its
/// bytes. A dialect has one; the reader of lines shows it all of them, and knows no program.
public protocol NarratedLog {
  /// Whether a line may be of such a program, as far as it shows by itself. Others need not be read
  /// while none waits.
  func mayTell(_ line: RawSpan) -> Bool

  /// Whether programs are known that write this log: one of their lines came that hardly anything
  /// else looks like. Until then, lines are read in vain.
  var isKnown: Bool { get }

  /// Looks at a line before any program is known; answers whether it may be of one.
  mutating func look(at line: RawSpan) -> Bool

  /// Reads one line of a log of known programs.
  ///
  /// - Parameters:
  ///   - origin: of the line.
  ///   - told: what the line tells, or what the lines before it told, to which it adds nothing.
  /// - Returns: whether the line is of such a program.
  mutating func read(
    _ line: RawSpan, _ origin: Origin, _ told: inout ContiguousArray<Narration>
  ) -> Bool

  /// No more lines come for now: what waits for more of itself is told.
  mutating func settle(_ told: inout ContiguousArray<Narration>)

  /// The line that waits for more of what it tells; nil when none does.
  var waiting: Origin? { get }
}

/// What lines of a log tell of one connection.
public struct Narration: Sendable {
  public enum Event: Sendable, Equatable {
    /// A message, as text that the layer of the dialect reads.
    case message([UInt8])
    /// The same, where the log has left out parts of it; “…” stands there.
    case abridged([UInt8])
    /// A message as it was sent: the line has all its bytes.
    case octets([UInt8])
    /// The end of the connection, with who ended it, and words of the log for the layer; empty
    /// where there is nothing to say.
    case end(Direction, [UInt8])
    /// Two connections go on at once that the lines do not tell apart.
    case mixed
    /// This one and another go on at once, and what only some lines tell apart is shown with this
    /// one.
    case alsoMixed
  }

  /// Who wrote the line, as people call it.
  public var program: StaticString
  public var dialect: StaticString
  /// What tells the connection from others of the log; empty where there is only one.
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
