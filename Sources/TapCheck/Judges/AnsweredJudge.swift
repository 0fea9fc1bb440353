// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapFilter
import TapTraffic

/// `each: CALL`, `answered: within 500ms`.
final class AnsweredJudge: Judge {
  private let within: Int64?
  /// Open matching requests, by message index; true if the match is certain.
  private var open = IDTable<Bool>()
  private var checked: UInt64 = 0
  private var failed: UInt64 = 0
  /// How many of those that failed were answered, but too late.
  private var late: UInt64 = 0
  /// The number of undecidable requests.
  private var undecided: UInt64 = 0
  /// Why the first of them is undecidable.
  private var doubt = ""
  /// The number of matching messages that expect no answer.
  private var unasked: UInt64 = 0

  init(
    _ expectation: Expectation, within: Int64?, _ matchers: [FilterMatcher],
    _ context: CheckContext
  ) {
    self.within = within
    super.init(expectation, matchers, context)
  }

  /// A message gives a request its final answer, or ends it, so that it needs none any more.
  func answer(_ heard: borrowing Heard, to request: MessageReference) {
    guard let isCertain = open.removeValue(for: WideKey(0, request.index)) else { return }
    if !heard.message.has(.answers) {
      checked -= 1
      unasked += 1
    }
    guard heard.message.has(.answers), let within else { return }
    guard let took = LatencyRange(heard.view.joined, heard.message.origin.precision) else {
      return doubt(request.name, request.index, "no time is known")
    }
    if took.high <= within { return }
    if took.low <= within { return doubt(request.name, request.index, "the clock is too coarse") }
    if !isCertain { return doubt(request.name, request.index, Self.partial) }
    failed += 1
    late += 1
    addExample(
      context.reference(heard.message, heard.view),
      "came after \(DurationText.text(heard.view.joined.latency))",
      request)
  }

  override func message(_ heard: borrowing Heard) {
    let truth = truth(heard)
    if truth == .no { return }
    guard heard.message.asksForAnswer else {
      if heard.message.isUnread {
        let connection = heard.view.joined.connection
        lost(connection, "a message of #\(connection) was not captured whole")
      } else if truth == .yes {
        unasked += 1
      }
      return
    }
    checked += 1
    let index = heard.view.joined.index
    if context.requests.contains(index) {
      open[WideKey(0, index)] = truth == .yes
    } else {
      doubt(
        heard.message.name, index,
        "more than \(context.limits.openExchanges) requests were open at once")
    }
  }

  private static let partial = "what it is was not captured whole"

  override func closed(_ closing: Closing, connection: UInt32, _ delivery: Delivery, scope: Truth) {
    let isKnown = !closing.isUnfinished && !closing.isEndMissed
    for request in context.requests.of(connection) {
      settle(request, isEndKnown: isKnown, closing.isUnfinished)
    }
    super.closed(closing, connection: connection, delivery, scope: scope)
  }

  /// Decides about an unanswered request.
  private func settle(
    _ request: OpenRequests.Request, isEndKnown: Bool, _ isUnfinished: Bool
  ) {
    let message = request.message
    guard let isCertain = open.removeValue(for: WideKey(0, message.index)) else { return }
    func doubt(_ text: String) { self.doubt(message.name, message.index, text) }
    func fail(_ text: String) {
      if !isCertain { return doubt(Self.partial) }
      failed += 1
      addExample(message, text)
    }
    let connection = context[message.connection]
    if connection.isLossy { return doubt("bytes of its connection were not captured") }
    if context.mayBeAnswered(message) {
      return doubt("pieces of a message that may answer it were not captured")
    }
    if context.strays.contains(request.link) {
      return doubt("an answer with its id came before it")
    }
    if isEndKnown { return fail("never answered") }
    if let within, message.time.isKnown {
      // An answer in time would have come before the latest message of its direction.
      let direction: Direction = message.direction == .toServer ? .toClient : .toServer
      let last = context.last(message.connection, direction)
      if last.isKnown && last.nanoseconds &- message.time.nanoseconds > within {
        return fail("not answered within \(DurationText.text(within))")
      }
    }
    doubt(isUnfinished ? "still open at the end of the input" : "the end was not captured")
  }

  private func doubt(_ name: Symbol, _ index: UInt64, _ text: String) {
    undecided += 1
    if doubt.isEmpty { doubt = "\(name.description) \(index): \(text)" }
  }

  override func result(isWhole: Bool) -> CheckResult {
    for request in context.requests.all { settle(request, isEndKnown: false, true) }
    let wanted = within.map { "within \(DurationText.text($0))" } ?? "at all"
    if failed > 0 {
      let text = "\(failed) of \(checked) not answered \(wanted)"
      // What is missing of no known connection may have contained the answers.
      if let loss, late == 0, context[0].isLossy {
        return result(.inconclusive, checked: checked, "\(text); \(loss)")
      }
      return result(.fail, checked: checked, failed: failed, text)
    }
    if undecided > 0 {
      return result(
        .inconclusive, checked: checked, "\(undecided) of \(checked) undecided; \(doubt)")
    }
    if checked == 0 {
      return nothing(
        unasked == 0
          ? "no request matched" : "none of \(unasked) messages that match asks for an answer",
        isWhole: isWhole)
    }
    if let loss { return result(.inconclusive, checked: checked, loss) }
    return result(.pass, checked: checked, "\(checked) of \(checked) answered \(wanted)")
  }
}
