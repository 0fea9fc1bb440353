// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// Tests the lines of a run with one filter, to count matches. It must see every line in order,
/// except messages that it `ignores`.
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
    _ message: Message, _ view: MessageView, _ namings: ContiguousArray<NamedValue>
  ) -> Truth {
    evaluator.note(message, view)
    return evaluator.message(message, view, namings)
  }

  /// Whether messages with this name need not be passed in: none matches, and none affects others.
  public func ignores(name: Symbol, dialect: StaticString) -> Bool {
    !evaluator.remembers && !evaluator.mayMatch(name: name, dialect: dialect)
  }

  /// Takes note of a message that is not tested.
  public mutating func hear(_ message: Message, _ view: MessageView) {
    evaluator.note(message, view)
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

  /// The connection has ended.
  public mutating func forget(_ connection: UInt32) { evaluator.forget(connection) }

  /// Whether any message of the connection can match.
  public mutating func mayMatch(on connection: UInt32) -> Bool {
    evaluator.mayMatch(connection, evaluator.facts(connection))
  }

  /// The same for a connection that was never opened, as its messages are encrypted.
  public mutating func mayMatch(on opening: Opening) -> Bool {
    evaluator.mayMatch(0, ConnectionFacts(opening, evaluator.program))
  }
}

extension FilterRun {
  /// Tests lines in the last pass.
  public func matcher() -> FilterMatcher { FilterMatcher(self) }
}
