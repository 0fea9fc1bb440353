// SPDX-License-Identifier: Apache-2.0
public import TapBytes
import TapFilter
public import TapTraffic

/// Receives all traffic, and writes a report at the end.
public struct CheckRenderer: Renderer {
  /// Writes the result of a check.
  public typealias Writer = (CheckReport, inout TextBuffer) -> Void

  private let run: CheckRun
  private let context: CheckContext
  private let judges: [Judge]
  private let interests: JudgeInterests
  private let findings: FindingsJudge
  private var scope: FilterMatcher?
  /// How many messages match it, or may.
  private var matched: UInt64 = 0
  private let writer: Writer
  private var namings = ContiguousArray<NamedValue>()
  /// A connection that stays encrypted was reported.
  private var hasSealed = false

  init(_ run: CheckRun, _ matchers: [FilterMatcher], _ writer: @escaping Writer) {
    (self.run, self.writer) = (run, writer)
    var left = matchers[...]
    let context = CheckContext(run.limits)
    self.context = context
    let judges: [Judge] = run.plan.expectations.map { expectation in
      let own = Array(left.prefix(expectation.filters.count))
      left = left.dropFirst(own.count)
      return switch expectation.form {
      case .each(let within): AnsweredJudge(expectation, within: within, own, context)
      case .count(let bounds): CountJudge(expectation, bounds, own, context)
      case .none: CountJudge(expectation, CountBounds(most: 0), own, context)
      case .latency(let bounds, let least):
        LatencyJudge(expectation, bounds, least: least, own, context)
      case .inOrder(let within): OrderJudge(expectation, within: within, own, context)
      }
    }
    self.judges = judges
    interests = JudgeInterests(judges)
    let rules = run.plan.ignored.map { rule in
      (rule, rule.filter == nil ? nil : left.popFirst())
    }
    findings = FindingsJudge(
      failOn: run.plan.failOn, only: run.plan.only, rules, today: run.plan.today, context)
    scope = left.popFirst()
  }

  public var isDecided: Bool { run.plan.stopsWhenBroken && run.isBroken }

  public mutating func named(_ namings: ContiguousArray<NamedValue>) { self.namings = namings }

  public mutating func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    context.opened(opening, connection: connection)
    let truth = scope?.opened(opening, connection: connection, delivery) ?? .yes
    for judge in judges {
      judge.opened(opening, connection: connection, delivery, scope: truth)
    }
    findings.opened(opening, connection: connection, delivery)
  }

  public mutating func message(
    _ message: Message, _ view: MessageView, into text: inout TextBuffer
  ) -> Bool {
    context.hear(message, view)
    let truth = scope?.message(message, view, namings) ?? .yes
    if truth != .no { matched += 1 }
    if findings.hasFilters { findings.hear(message, view) }
    let interested = interests.of(message, context)
    if !interested.isEmpty || context.answered != nil {
      let heard = Judge.Heard(message, view, namings, scope: truth)
      if let request = context.answered {
        for judge in interests.answers { judge.answer(heard, to: request) }
      }
      for at in judges.indices where interested.contains(at) { judges[at].message(heard) }
      noteBroken()
    }
    if !namings.isEmpty { namings.removeAll() }
    return true
  }

  private func noteBroken() {
    if !run.isBroken && run.plan.stopsWhenBroken && judges.contains(where: { $0.isBroken }) {
      run.isBroken = true
    }
  }

  public mutating func finding(
    _ finding: Finding, connection: UInt32, messages: [UInt64], into text: inout TextBuffer
  ) {
    let isCut = finding.endsEvidence || finding.cutsEvidence
    if isCut || finding.lostBytes > 0 || finding.lostMessages > 0 {
      context.lost(connection)
      let whose = connection > 0 ? " of #\(connection)" : ""
      let what =
        isCut
        ? finding.text
        : finding.lostBytes > 0
          ? "\(finding.lostBytes) bytes\(whose) were not captured"
          : "messages\(whose) were not captured"
      for judge in judges { judge.lost(isCut ? 0 : connection, what) }
    }
    if let sealed = finding.sealed {
      hasSealed = true
      var opening = Opening(
        .webSocket, client: sealed.client, server: sealed.server, isFromStart: false)
      opening.security = sealed.security
      for judge in judges {
        judge.sealed(opening, "TLS of \(sealed.server.description) stayed closed")
      }
    }
    let truth =
      scope?.finding(finding, connection: connection, messages: messages) ?? .yes
    if truth == .no { return }
    for judge in judges {
      judge.finding(finding, connection: connection, messages: messages, scope: truth)
    }
    findings.finding(finding, connection: connection, messages: messages)
    noteBroken()
  }

  public mutating func closed(
    _ closing: Closing, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    let truth = scope?.closed(closing, connection: connection, delivery) ?? .yes
    for judge in judges {
      if closing.isUnfinished || closing.isEndMissed { judge.leftOpen(connection) }
      judge.closed(closing, connection: connection, delivery, scope: truth)
    }
    scope?.forget(connection)
    findings.closed(connection)
    context.closed(connection)
  }

  public mutating func summary(_ summary: Summary, into text: inout TextBuffer) {
    if summary[.sealed] > 0 && !hasSealed {
      for judge in judges { judge.lost(0, "encrypted records stayed closed") }
    }
    if summary.evicted > 0 {
      for judge in judges { judge.lost(0, "\(summary.evicted) connections had to be forgotten") }
    }
    for reason in run.unreadable {
      for judge in judges { judge.lost(0, reason) }
    }
    var report = CheckReport()
    // The capture ended as requested, even if something was still open.
    let isWhole = summary.stop == .time || summary.stop == .count
    report.results = judges.map { $0.result(isWhole: isWhole) }
    (report.inputs, report.failOn) = (run.inputs, run.plan.failOn)
    (report.start, report.end, report.messages) = (context.start, context.end, context.messages)
    run.judgeEvidence(&report, matched, found: findings.results(run.plan.baseline))
    run.suppress(&report, findings.fingerprints)
    run.report = report
    writer(report, &text)
  }
}
