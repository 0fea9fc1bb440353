// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapFilter
import TapTraffic

/// Receives every line of a run, and finally gives the result of one expectation.
class Judge {
  /// One message, with everything known about it.
  struct Heard: ~Escapable {
    let message: Message
    let view: MessageView
    let namings: ContiguousArray<NamedValue>
    /// Whether it is in the scope (`-Y`).
    let scope: Truth

    @_lifetime(copy view)
    init(
      _ message: Message, _ view: MessageView, _ namings: ContiguousArray<NamedValue>, scope: Truth
    ) {
      self.message = message
      self.view = view
      (self.namings, self.scope) = (namings, scope)
    }
  }

  /// The limit of examples.
  static let mostExamples = 20

  let expectation: Expectation
  let context: CheckContext
  var matchers: [FilterMatcher]
  var examples: [CheckResult.Example] = []
  /// Describes missing data that could change the result; nil when nothing is missing.
  private(set) var loss: String?
  /// A captured connection that could change the result was open when the capture began or ended.
  private(set) var isCutOff = false

  init(_ expectation: Expectation, _ matchers: [FilterMatcher], _ context: CheckContext) {
    (self.expectation, self.matchers, self.context) = (expectation, matchers, context)
  }

  func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, scope: Truth
  ) {
    for at in matchers.indices {
      _ = matchers[at].opened(opening, connection: connection, delivery)
    }
    if !opening.isFromStart { leftOpen(connection) }
  }

  func message(_ heard: borrowing Heard) {}

  func finding(
    _ finding: Finding, connection: UInt32, messages: [UInt64], scope: Truth
  ) {}

  func closed(_ closing: Closing, connection: UInt32, _ delivery: Delivery, scope: Truth) {
    for at in matchers.indices { matchers[at].forget(connection) }
  }

  /// - Parameter isWhole: the capture ended as requested.
  func result(isWhole: Bool) -> CheckResult {
    CheckResult(
      expectation.name, .expectation(expectation.form.key), .nothing, "", at: expectation.place)
  }

  /// The expectation is certainly broken: a live run need not continue.
  var isBroken: Bool { false }

  /// Data of a connection is missing, or of all connections when the number is 0.
  func lost(_ connection: UInt32, _ what: String) {
    if loss != nil { return }
    if connection == 0 || mayMatch(connection) { loss = what }
  }

  /// A connection stayed encrypted.
  func sealed(_ opening: Opening, _ what: String) {
    if loss != nil { return }
    for at in matchers.indices where matchers[at].mayMatch(on: opening) { loss = what }
  }

  /// The capture began or ended while the connection was open.
  func leftOpen(_ connection: UInt32) {
    if !isCutOff && !context[connection].isLog && mayMatch(connection) { isCutOff = true }
  }

  private func mayMatch(_ connection: UInt32) -> Bool {
    matchers.indices.contains { matchers[$0].mayMatch(on: connection) }
  }

  /// Whether the message matches a filter of the expectation.
  func truth(_ heard: borrowing Heard, step: Int = 0) -> Truth {
    matchers[step].message(heard.message, heard.view, heard.namings).and(heard.scope)
  }

  func addExample(_ message: MessageReference, _ text: String, _ request: MessageReference? = nil) {
    if examples.count >= Self.mostExamples { return }
    let request = request ?? context.request(message.answers)
    var example = CheckResult.Example(
      message: message, about: context.text(message.subject), text: text, request: request,
      severity: nil)
    example.requestAbout = request.map { context.text($0.subject) } ?? ""
    examples.append(example)
  }

  /// The result when too little matched, or nothing; missing data may have matched.
  ///
  /// - Parameter isWhole: the capture ended as requested.
  func nothing(_ reason: String, checked: UInt64 = 0, isWhole: Bool) -> CheckResult {
    if let loss { return result(.inconclusive, checked: checked, "\(reason); \(loss)") }
    if isCutOff && !isWhole {
      return result(
        .inconclusive, checked: checked,
        "\(reason), and a connection was not captured from beginning to end")
    }
    return result(.nothing, checked: checked, reason)
  }

  /// The result for this judge's counts.
  func result(
    _ verdict: Verdict, checked: UInt64, failed: UInt64 = 0, _ reason: String
  ) -> CheckResult {
    var result = CheckResult(
      expectation.name, .expectation(expectation.form.key), verdict, reason, at: expectation.place)
    (result.checked, result.failed, result.examples) = (checked, failed, examples)
    return result
  }
}
