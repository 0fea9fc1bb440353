// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Finds what is known only at the end: which messages were answered, and which exchanges, sessions
/// and connections have a matching line. Writes nothing.
struct LateAnswerCollector: Renderer {
  /// Who has asked: of a connection, the sender in one direction.
  private struct Side: Hashable {
    var connection: UInt32
    var direction: Direction
  }

  private struct Open {
    var question: FilterRun.Question
    var evaluator: Evaluator?
  }

  private let run: FilterRun
  private var open: [Open]
  private var namings = ContiguousArray<NamedValue>()
  private var legs: ExchangeLegs?
  /// Requests, by message index.
  private var asked = BitTable()
  private var answered = BitTable()
  /// Requests whose answer may not have been captured.
  private var uncertain = BitTable()
  /// The unanswered requests of each side, by message index, and their total number.
  private var openRequests: [Side: Set<UInt64>] = [:]
  private var openCount = 0
  /// Connections with missing bytes or messages, which may have been any answer.
  private var lossy: Set<UInt32> = []
  /// Something is missing of no known connection, which may have been any answer of any of them.
  private var isLossy = false
  private let asksAnswers: Bool
  /// The latest session of each open connection, if a question is about sessions: the end of the
  /// connection is its end.
  private var sessions: [UInt32: UInt16] = [:]
  private let asksSessions: Bool

  init(_ run: FilterRun, pass: Int) {
    self.run = run
    open = run.questions.filter { $0.pass == pass }.map { question in
      let evaluator = question.program.map {
        Evaluator(
          $0, inputs: run.inputs, zone: run.zone, run.lates, firstLate: question.firstLate)
      }
      return Open(question: question, evaluator: evaluator)
    }
    let hasExchanges = run.questions.contains { $0.question == .exchange }
    legs = pass == 1 && hasExchanges ? ExchangeLegs(run.limits) : nil
    asksAnswers = open.contains { $0.evaluator == nil }
    asksSessions = open.contains { $0.question.question == .session }
    run.lates.exchanges.notesMerges = run.lates.isWaiting
  }

  mutating func named(_ namings: ContiguousArray<NamedValue>) { self.namings = namings }

  mutating func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    legs?.opened(opening, connection: connection)
    for at in open.indices {
      guard let truth = open[at].evaluator?.opened(opening, connection: connection, delivery)
      else { continue }
      mark(open[at].question, truth, index: 0, connection, session: 0)
    }
  }

  mutating func message(
    _ message: Message, _ view: MessageView, into text: inout TextBuffer
  ) -> Bool {
    if view.joined.index <= UInt64(run.limits.filteredMessages) {
      legs?.message(message, view, &run.lates.exchanges)
    } else {
      run.unjoined += 1
    }
    if asksAnswers {
      if view.joined.ends > 0 {
        answered[view.joined.ends] = true
        for side in sides(of: view.joined.connection) {
          if openRequests[side]?.remove(view.joined.ends) != nil { openCount -= 1 }
        }
      }
      if message.asksForAnswer { ask(view.joined, message.origin.direction) }
      if message.isUncertain { doubt(message, view.joined) }
    }
    if asksSessions { sessions[view.joined.connection] = message.session }
    if run.lates.isWaiting { settle(message, view) }
    for at in open.indices where open[at].evaluator != nil {
      open[at].evaluator!.note(message, view)
      let truth = open[at].evaluator!.message(message, view, namings)
      if truth == .no { continue }
      mark(
        open[at].question, truth, index: view.joined.index, view.joined.connection,
        session: message.session)
    }
    if !namings.isEmpty { namings.removeAll() }
    return false
  }

  /// Marks answers that are final from this message on.
  private func settle(_ message: Message, _ view: MessageView) {
    let lates = run.lates
    lates.mergeExchanges()
    let root = lates.exchanges.root(of: view.joined.index)
    let isLast = view.joined.ends > 0
    let asks =
      !message.traits.contains(.asksNothing)
      && (message.has(.opens) || message.has(.restarts))
    let isOver = lates.count((asks ? 1 : 0) - (isLast ? 1 : 0), of: root, run.limits) && isLast
    for question in run.questions {
      let number = question.number
      switch question.question {
      case .exchange:
        // A finding may come later than its messages.
        if question.program?.isAboutFindings == true { continue }
        // EVENTs may follow the answer to a PUBLISH.
        let isAlone =
          message.first.role == .none && root == view.joined.index
          && view.joined.answers == 0
        guard isAlone || isOver && !message.has(.shares) else { continue }
        lates.answers[number].settled[root] = true
        lates.change(exchange: root)
      case .answered, .unanswered:
        if !asks || question.question == .unanswered && !message.asksForAnswer {
          lates.answers[number].settled[view.joined.index] = true
        }
        if isLast { settle(view.joined.ends, question, isAnswered: true) }
      case .session, .connection: break
      }
    }
  }

  private func settle(_ request: UInt64, _ question: FilterRun.Question, isAnswered: Bool) {
    let (lates, number) = (run.lates, question.number)
    if isAnswered == (question.question == .answered) { lates.answers[number].yes[request] = true }
    lates.answers[number].possible[request] = false
    lates.answers[number].settled[request] = true
    lates.change(exchange: lates.exchanges.root(of: request))
  }

  /// A request that expects an answer.
  private mutating func ask(_ joined: Joined, _ direction: Direction) {
    asked[joined.index] = true
    // Pasted text may not be a whole conversation, and beyond the limit, requests are not tracked.
    if joined.connection == 0 || openCount >= run.limits.openExchanges {
      uncertain[joined.index] = true
    } else {
      let side = Side(connection: joined.connection, direction: direction)
      openRequests[side, default: []].insert(joined.index)
      openCount += 1
    }
  }

  /// A message of which pieces were not captured may be an answer, and perhaps a request.
  private mutating func doubt(_ message: Message, _ joined: Joined) {
    let direction = message.origin.direction
    if message.mayAnswerAny && joined.connection > 0 {
      // It answers what the other side has asked before.
      for side in sides(of: joined.connection)
      where side.direction == .unknown || side.direction != direction {
        end(side, isKnown: false)
      }
    }
    guard message.isUnread else { return }
    for one in open where one.evaluator == nil {
      run.lates.answers[one.question.number].possible[joined.index] = true
    }
  }

  private func sides(of connection: UInt32) -> [Side] {
    [.toServer, .toClient, .unknown].map { Side(connection: connection, direction: $0) }
  }

  /// No more answers come. Unanswered requests are certain only if all of the connection was
  /// captured, to its end.
  private mutating func end(_ side: Side, isKnown: Bool) {
    guard let left = openRequests.removeValue(forKey: side) else { return }
    openCount -= left.count
    if run.lates.isWaiting {
      for question in run.questions where question.question == .unanswered {
        for index in left {
          if isKnown {
            run.lates.answers[question.number].yes[index] = true
          } else {
            run.lates.answers[question.number].possible[index] = true
          }
        }
      }
    }
    if isKnown { return }
    for index in left { uncertain[index] = true }
  }

  mutating func finding(
    _ finding: Finding, connection: UInt32, messages: [UInt64], into text: inout TextBuffer
  ) {
    let isLoss = finding.lostBytes > 0 || finding.lostMessages > 0
    if asksAnswers && isLoss {
      if connection > 0 { lossy.insert(connection) } else { isLossy = true }
    }
    for at in open.indices {
      guard
        let truth = open[at].evaluator?.finding(
          finding, connection: connection, messages: messages), truth != .no
      else { continue }
      for index in messages.isEmpty ? [0] : messages {
        mark(open[at].question, truth, index: index, connection, session: finding.session)
      }
    }
  }

  mutating func closed(
    _ closing: Closing, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    if asksAnswers {
      let isWhole = lossy.remove(connection) == nil && !isLossy
      for side in sides(of: connection) { end(side, isKnown: isWhole && !closing.isUnfinished) }
    }
    let session = sessions.removeValue(forKey: connection) ?? 0
    for at in open.indices where open[at].evaluator != nil {
      let truth = open[at].evaluator!.closed(closing, connection: connection, delivery)
      mark(open[at].question, truth, index: 0, connection, session: session)
      open[at].evaluator!.forget(connection)
    }
  }

  mutating func summary(_ summary: Summary, into text: inout TextBuffer) {
    if run.lates.isWaiting {
      for side in openRequests.keys { end(side, isKnown: false) }
    } else {
      for one in open { finish(one.question) }
    }
  }

  private func mark(
    _ question: FilterRun.Question, _ truth: Truth, index: UInt64, _ connection: UInt32,
    session: UInt16
  ) {
    if truth == .no { return }
    let (lates, number) = (run.lates, question.number)
    let isCertain = truth == .yes
    switch question.question {
    case .exchange:
      if index == 0 { return }
      let at = lates.isWaiting ? lates.exchanges.root(of: index) : index
      if isCertain {
        lates.answers[number].yes[at] = true
      } else {
        lates.answers[number].possible[at] = true
      }
      if lates.isWaiting { lates.change(exchange: at) }
    case .session, .connection:
      if connection == 0 { return }
      let key =
        question.question == .connection
        ? UInt64(connection) : LateAnswers.key(connection, session)
      if isCertain {
        let isNew = lates.answers[number].yesKeys.insert(key).inserted
        if isNew && lates.isWaiting { lates.change(connection: connection) }
      } else {
        lates.answers[number].possibleKeys.insert(key)
      }
    case .answered, .unanswered: break
    }
  }

  private mutating func finish(_ question: FilterRun.Question) {
    let (lates, number) = (run.lates, question.number)
    switch question.question {
    case .exchange:
      let found = lates.answers[number]
      found.yes.forEach { lates.answers[number].yes[lates.exchanges.root(of: $0)] = true }
      found.possible.forEach { lates.answers[number].possible[lates.exchanges.root(of: $0)] = true }
    case .answered: lates.answers[number].yes = answered
    case .unanswered:
      for side in openRequests.keys { end(side, isKnown: false) }
      var (open, possible) = (BitTable(), lates.answers[number].possible)
      asked.forEach { index in
        if answered[index] { return }
        if isLossy || uncertain[index] { possible[index] = true } else { open[index] = true }
      }
      (lates.answers[number].yes, lates.answers[number].possible) = (open, possible)
    case .session, .connection: break
    }
  }
}
