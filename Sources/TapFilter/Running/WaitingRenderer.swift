// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Precedes a filter that depends on later messages when lines are shown during the traffic. Lines
/// that may still match wait; all messages of an exchange, a session or a connection are passed on,
/// in order, with the one that decides.
///
/// Lines wait at most until their connection ends, and within the room that `Limits` gives.
struct WaitingRenderer: Renderer {
  private let run: FilterRun
  private var inner: FilterRenderer
  private let innerWishes: Detail.Wishes
  private var collector: LateAnswerCollector
  private var evaluator: Evaluator
  private var held: HeldLines
  private var namings = ContiguousArray<NamedValue>()
  private var hasBegun = false
  /// The last message waits.
  private var isLastHeld = false

  init(_ run: FilterRun, _ inner: FilterRenderer) {
    (self.run, self.inner, innerWishes) = (run, inner, inner.wishes)
    collector = LateAnswerCollector(run, pass: 1)
    evaluator = Evaluator(
      run.filter.program, inputs: run.inputs, zone: run.zone, run.lates, firstLate: 0)
    held = HeldLines(run.limits)
  }

  var wishes: Detail.Wishes { innerWishes.union(collector.wishes) }

  /// The requested number of messages was shown.
  var isDecided: Bool { inner.isDecided || run.shown >= run.most }

  mutating func named(_ namings: ContiguousArray<NamedValue>) { self.namings = namings }

  mutating func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    collector.opened(opening, connection: connection, delivery, into: &text)
    _ = evaluator.opened(opening, connection: connection, delivery)
    inner.opened(opening, connection: connection, delivery, into: &text)
    passOnWhatIsDecided(&text)
  }

  mutating func refused(_ attempt: Opening, _ delivery: Delivery) {
    inner.refused(attempt, delivery)
  }

  /// - Returns: whether the limit of shown messages is reached; see `FilterRun.countsItself`.
  mutating func message(
    _ message: Message, _ view: MessageView, into text: inout TextBuffer
  ) -> Bool {
    if !hasBegun && message.origin.time.isKnown {
      hasBegun = true
      inner.begins(at: message.origin.time)
    }
    if !namings.isEmpty { collector.named(namings) }
    _ = collector.message(message, view, into: &text)
    passOnWhatIsDecided(&text)
    evaluator.note(message, view)
    isLastHeld =
      run.lates.isOpen(message, view) && evaluator.message(message, view, namings) == .unknown
    if isLastHeld {
      makeRoom(&text)
      let root = run.lates.exchanges.root(of: view.joined.index)
      held.add(HeldLines.Line(message, view, namings), root: root)
    } else {
      passOn(message, view, namings, &text)
    }
    if !namings.isEmpty { namings.removeAll() }
    return run.shown >= run.most
  }

  mutating func detail(
    _ detail: Detail, _ message: Message, _ view: MessageView, into text: inout TextBuffer
  ) {
    if innerWishes.isEmpty { return }
    if isLastHeld {
      held.attach(detail, to: view.joined.index)
    } else {
      inner.detail(detail, message, view, into: &text)
    }
  }

  mutating func finding(
    _ finding: Finding, connection: UInt32, messages: [UInt64], into text: inout TextBuffer
  ) {
    collector.finding(finding, connection: connection, messages: messages, into: &text)
    if !held.attach(finding, messages) {
      inner.finding(finding, connection: connection, messages: messages, into: &text)
    }
    passOnWhatIsDecided(&text)
  }

  mutating func unreported(_ finding: Finding, connection: UInt32) {
    inner.unreported(finding, connection: connection)
  }

  mutating func keepAlive(_ keepAlive: KeepAlive, connection: UInt32) {
    inner.keepAlive(keepAlive, connection: connection)
  }

  mutating func context(_ words: RawSpan, _ line: ContextLine, into text: inout TextBuffer) {
    inner.context(words, line, into: &text)
  }

  mutating func closed(
    _ closing: Closing, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    collector.closed(closing, connection: connection, delivery, into: &text)
    passOnWhatIsDecided(&text)
    for index in held.indices(connection: connection) { passOn(index, &text) }
    evaluator.forget(connection)
    inner.closed(closing, connection: connection, delivery, into: &text)
  }

  mutating func summary(_ summary: Summary, into text: inout TextBuffer) {
    collector.summary(summary, into: &text)
    for index in held.all { passOn(index, &text) }
    inner.summary(summary, into: &text)
  }

  // MARK: what is held

  /// Passes on the lines that the last event decided.
  private mutating func passOnWhatIsDecided(_ text: inout TextBuffer) {
    let lates = run.lates
    if lates.changedExchanges.isEmpty && lates.changedConnections.isEmpty { return }
    var changed: [UInt64] = []
    for merge in lates.takeMerges() { held.merge(merge.from, into: merge.into) }
    for root in lates.takeChangedExchanges() { changed += held.indices(exchange: root) }
    for connection in lates.takeChangedConnections() {
      changed += held.indices(connection: connection)
    }
    for index in changed.sorted() {
      guard let line = held[index] else { continue }
      let truth = evaluator.message(line.message, line.view, line.namings)
      if truth == .unknown && lates.isOpen(line.message, line.view) { continue }
      passOn(index, &text)
    }
  }

  private mutating func makeRoom(_ text: inout TextBuffer) {
    while held.isFull, let oldest = held.oldest() {
      let matched = run.matched
      passOn(oldest, &text)
      if run.matched == matched { run.unawaited += 1 }
    }
  }

  /// Passes on a held line, to be judged by what is known now.
  private mutating func passOn(_ index: UInt64, _ text: inout TextBuffer) {
    guard let line = held.remove(index, root: run.lates.exchanges.root(of: index)) else { return }
    passOn(line.message, line.view, line.namings, &text)
    if let detail = line.detail {
      inner.detail(detail, line.message, line.view, into: &text)
    }
    for one in line.findings {
      inner.finding(
        one.finding, connection: line.joined.connection, messages: one.messages, into: &text)
    }
  }

  private mutating func passOn(
    _ message: Message, _ view: MessageView, _ namings: ContiguousArray<NamedValue>,
    _ text: inout TextBuffer
  ) {
    if run.shown >= run.most { return }
    if !namings.isEmpty { inner.named(namings) }
    run.lates.isWaiting = false
    let isShown = inner.message(message, view, into: &text)
    run.lates.isWaiting = true
    if isShown { run.shown += 1 }
  }
}
