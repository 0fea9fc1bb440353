// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapFilter
import TapTraffic

/// `each: CALL`, `answered: within 500ms`.
final class AnsweredJudge: Judge {
  private struct Open {
    var message: MessageReference
    /// Whether it matches is not known.
    var isPossible: Bool
    var id: ID
  }

  /// What requests and answers have in common.
  private struct ID: Hashable {
    var connection: UInt32
    var session: UInt16
    var space: UInt8
    var key: UInt64

    init(_ message: Message, _ joined: Joined, _ link: Link) {
      (connection, session) = (joined.connection, message.session)
      (space, key) = (link.space, link.key)
    }
  }

  /// Answers whose requests nobody has seen, the first ones: where directions were captured apart,
  /// a request may come after its answer.
  private static let mostStrays = 4096

  private let within: Int64?
  /// Requests without an answer, by connection and index of message.
  private var open: [UInt32: [UInt64: Open]] = [:]
  private var openCount = 0
  private var checked: UInt64 = 0
  private var failed: UInt64 = 0
  /// Requests of which what decides is not known.
  private var undecided: UInt64 = 0
  /// What was not known of the first of them.
  private var doubt = ""
  private var strays: Set<ID> = []
  /// Messages that match and ask for nothing.
  private var unasked: UInt64 = 0
  /// The message that was told last, where it is a request that matches.
  private var pending: Open?

  init(
    _ expectation: Expectation, within: Int64?, _ matchers: [FilterMatcher],
    _ context: CheckContext
  ) {
    self.within = within
    super.init(expectation, matchers, context)
  }

  override func message(_ heard: borrowing Heard) {
    pending = nil
    let (message, joined) = (heard.message, heard.joined)
    if joined.answers > 0, let asked = taken(joined.answers, joined.connection, message) {
      answered(asked, message, joined, subject: heard.subject)
    }
    if joined.answers == 0, joined.connection > 0, strays.count < Self.mostStrays {
      for number in 0..<3 where message.link(number).role == .answers {
        strays.insert(ID(message, joined, message.link(number)))
      }
    }
    let truth = truth(heard)
    if truth == .no { return }
    if message.first.role == .opens && !message.traits.contains(.asksNothing) {
      pending = Open(
        message: context.reference(message, joined, subject: heard.subject),
        isPossible: truth == .unknown, id: ID(message, joined, message.first))
    } else if truth == .yes {
      unasked += 1
    }
  }

  override func asks(_ isAnswerExpected: Bool) {
    guard let request = pending else { return }
    pending = nil
    if !isAnswerExpected {
      unasked += 1
    } else if openCount >= context.limits.openExchanges {
      checked += 1
      doubt(request, "more than \(openCount) requests were open at once")
    } else {
      checked += 1
      open[request.message.connection, default: [:]][request.message.index] = request
      openCount += 1
    }
  }

  /// The request that this message answers for good.
  private func taken(_ index: UInt64, _ connection: UInt32, _ message: Message) -> Open? {
    guard (0..<3).contains(where: { message.link($0).role == .answers }),
      let at = open.index(forKey: connection)
    else { return nil }
    guard let request = open.values[at].removeValue(forKey: index) else { return nil }
    openCount -= 1
    return request
  }

  private func answered(
    _ request: Open, _ message: Message, _ joined: Joined, subject: RawSpan
  ) {
    guard let within else { return }
    guard let took = LatencyRange(joined, message.origin.precision) else {
      return doubt(request, "no time is known")
    }
    if took.high <= within { return }
    if took.low <= within { return doubt(request, "the clock is too coarse") }
    if request.isPossible { return doubt(request, "what it is was not captured whole") }
    failed += 1
    addExample(
      context.reference(message, joined, subject: subject),
      "came after \(DurationText.text(joined.latency))", request.message)
  }

  override func closed(_ closing: Closing, connection: UInt32, _ delivery: Delivery, scope: Truth) {
    if let left = open.removeValue(forKey: connection) {
      openCount -= left.count
      let isKnown = !closing.isUnfinished && !closing.isEndMissed
      for request in left.values.sorted(by: { $0.message.index < $1.message.index }) {
        settle(request, isEndKnown: isKnown, closing.isUnfinished)
      }
    }
    super.closed(closing, connection: connection, delivery, scope: scope)
  }

  /// Decides on a request that nobody has answered.
  private func settle(_ request: Open, isEndKnown: Bool, _ isUnfinished: Bool) {
    let connection = context[request.message.connection]
    if connection.isLossy { return doubt(request, "bytes of its connection were not captured") }
    if strays.contains(request.id) { return doubt(request, "an answer with its id came before it") }
    if isEndKnown { return fail(request, "never answered") }
    if let within, request.message.time.isKnown {
      // What was sent behind an answer in its direction would have come after it.
      let direction: Direction = request.message.direction == .toServer ? .toClient : .toServer
      let last = context.last(request.message.connection, direction)
      if last.isKnown && last.nanoseconds - request.message.time.nanoseconds > within {
        return fail(request, "not answered within \(DurationText.text(within))")
      }
    }
    doubt(
      request, isUnfinished ? "still open at the end of the evidence" : "the end was not captured")
  }

  private func fail(_ request: Open, _ text: String) {
    if request.isPossible { return doubt(request, "what it is was not captured whole") }
    failed += 1
    addExample(request.message, text)
  }

  private func doubt(_ request: Open, _ text: String) {
    undecided += 1
    if doubt.isEmpty {
      doubt = "\(request.message.name.description) \(request.message.index): \(text)"
    }
  }

  override func result(isWhole: Bool) -> CheckResult {
    for (_, left) in open.sorted(by: { $0.key < $1.key }) {
      for request in left.values.sorted(by: { $0.message.index < $1.message.index }) {
        settle(request, isEndKnown: false, true)
      }
    }
    open.removeAll()
    let wanted = within.map { "within \(DurationText.text($0))" } ?? "at all"
    if failed > 0 {
      return result(
        .fail, checked: checked, failed: failed,
        "\(failed) of \(checked) not answered \(wanted)")
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
