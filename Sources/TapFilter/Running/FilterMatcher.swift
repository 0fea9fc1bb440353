// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// Tests the lines of a run by one filter, for those who count what matches. It hears of every
/// line, in order, but for messages that it ignores.
public struct FilterMatcher {
  private var evaluator: Evaluator

  init(_ run: FilterRun) {
    evaluator = Evaluator(
      run.filter.program, inputs: run.inputs, zone: run.zone, run.lates, firstLate: 0)
  }

  public mutating func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery
  ) -> Truth {
    evaluator.opened(opening, connection: connection, delivery)
  }

  public mutating func message(
    _ message: Message, _ joined: Joined, _ bytes: RawSpan, _ notes: Span<Note>, subject: RawSpan,
    _ namings: ContiguousArray<NamedValue>
  ) -> Truth {
    evaluator.note(message, joined, bytes)
    return evaluator.message(message, joined, bytes, notes, subject: subject, namings)
  }

  /// Whether messages of this name are of no account: none of them matches, nor has to be heard.
  public func ignores(name: Symbol, dialect: StaticString) -> Bool {
    !evaluator.remembers && !evaluator.mayMatch(name: name, dialect: dialect)
  }

  /// Hears of a message that is not to be tested.
  public mutating func hear(_ message: Message, _ joined: Joined, _ bytes: RawSpan) {
    evaluator.note(message, joined, bytes)
  }

  public mutating func finding(
    _ finding: Finding, connection: UInt32, messages: [UInt64]
  ) -> Truth {
    evaluator.finding(finding, connection: connection, messages: messages)
  }

  public mutating func closed(
    _ closing: Closing, connection: UInt32, _ delivery: Delivery
  ) -> Truth {
    evaluator.closed(closing, connection: connection, delivery)
  }

  /// Nothing more comes of the connection.
  public mutating func forget(_ connection: UInt32) { evaluator.forget(connection) }

  /// Whether some message of the connection could match, if nothing else is known of it.
  public mutating func mayMatch(on connection: UInt32) -> Bool {
    evaluator.mayMatch(connection, evaluator.facts(connection))
  }

  /// The same of a connection that was never opened: its messages are encrypted.
  public mutating func mayMatch(on opening: Opening) -> Bool {
    evaluator.mayMatch(0, ConnectionFacts(opening, evaluator.program))
  }
}

extension FilterRun {
  /// Tests lines in the pass that comes last.
  public func matcher() -> FilterMatcher { FilterMatcher(self) }
}
