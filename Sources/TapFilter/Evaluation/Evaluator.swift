// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Evaluates one program on the messages, findings and connections of a run.
struct Evaluator {
  let program: FilterProgram
  /// Names of the inputs, by number.
  let inputs: [String]
  let zone: @Sendable (Int64) -> Int64
  /// Answers to late questions; see `LateAnswers`.
  let lates: LateAnswers
  /// The index in `lates` of this program's first late question.
  let firstLate: Int
  /// When the first message was captured.
  var start = Instant.unknown
  /// By number; only if the program tests connections.
  private var connections: [UInt32: ConnectionFacts] = [:]
  private var last: (number: UInt32, facts: ConnectionFacts) = (0, ConnectionFacts())
  /// Requests whose subject was not captured, by message index.
  private(set) var nameless = BitTable()
  /// The zone offset used last, and its quarter of an hour.
  private var shift: (quarter: Int64, seconds: Int64) = (.min, 0)
  /// The current value without escapes.
  var plain: [UInt8] = []
  /// JSON from inside a string.
  var inner: [UInt8] = []

  init(
    _ program: FilterProgram, inputs: [String], zone: @escaping @Sendable (Int64) -> Int64,
    _ lates: LateAnswers, firstLate: Int
  ) {
    (self.program, self.inputs, self.zone) = (program, inputs, zone)
    (self.lates, self.firstLate) = (lates, firstLate)
  }

  /// The state of one evaluation: steps are taken until one accepts or rejects.
  struct Course {
    var at: Int32
    var isUncertain = false
    /// Unknown results count in favour of the line.
    let isHopeful: Bool

    init(_ start: Int32, isHopeful: Bool) { (at, self.isHopeful) = (start, isHopeful) }

    @inline(__always)
    mutating func take(_ step: Step, _ truth: Truth) {
      switch truth {
      case .yes: at = step.yes
      case .no: at = step.no
      case .unknown:
        isUncertain = true
        at = isHopeful != step.isNegated ? step.yes : step.no
      }
    }
  }

  // MARK: messages

  @inline(__always)
  mutating func message(
    _ message: Message, _ view: MessageView, _ namings: ContiguousArray<NamedValue>
  ) -> Truth {
    var course = Course(program.start, isHopeful: false)
    while course.at >= 0 {
      let step = program.steps[Int(course.at)]
      course.take(step, truth(of: step, message, view, namings))
    }
    if course.at == Step.accept { return .yes }
    if !course.isUncertain { return .no }
    var hopeful = Course(program.start, isHopeful: true)
    while hopeful.at >= 0 {
      let step = program.steps[Int(hopeful.at)]
      hopeful.take(step, truth(of: step, message, view, namings))
    }
    return hopeful.at == Step.accept ? .unknown : .no
  }

  /// Takes note of each message before it is tested.
  mutating func note(_ message: Message, _ view: MessageView) {
    if !start.isKnown { start = message.origin.time }
    if message.first.role == .opens && view.subject.isEmpty && lacksSubject(message, view) {
      nameless[view.joined.index] = true
    }
    guard !program.connectionSteps.isEmpty, !message.realm.isEmpty,
      view.joined.connection > 0
    else { return }
    connections[view.joined.connection, default: ConnectionFacts()].enter(
      view.bytes[message.realm], message.session, program)
    last.number = 0
  }

  // MARK: findings

  mutating func finding(_ finding: Finding, connection: UInt32, messages: [UInt64]) -> Truth {
    judge { $0.truth(of: $1, finding, connection, messages) }
  }

  /// Evaluates what is no message: by what is known, and where that does not decide, by what may
  /// become known.
  private mutating func judge(_ truth: (inout Self, Step) -> Truth) -> Truth {
    for isHopeful in [false, true] {
      var course = Course(program.start, isHopeful: isHopeful)
      while course.at >= 0 {
        let step = program.steps[Int(course.at)]
        course.take(step, truth(&self, step))
      }
      if course.at == Step.accept { return isHopeful ? .unknown : .yes }
      if !course.isUncertain { return .no }
    }
    return .no
  }

  private mutating func truth(
    of step: Step, _ finding: Finding, _ connection: UInt32, _ messages: [UInt64]
  ) -> Truth {
    switch step.kind {
    case .late:
      return lates.truth(
        firstLate + Int(step.number), index: messages.first ?? 0, connection: connection,
        session: finding.session)
    case .connection: return facts(connection)[step.number]
    case .field: break
    default: return .no
    }
    switch step.field {
    case .event: return Truth(program.holds(step, word: "finding"))
    case .finding: return Truth(program.holds(step, word: finding.code.text))
    case .severity:
      return Truth(program.holds(step, Int128(finding.severity.rawValue)))
    case .security: return Truth(finding.isSecurity)
    case .source: return text(finding.source, step)
    case .text: return text(finding.text, step)
    case .subject:
      if finding.subject.isEmpty { return .no }
      return Truth(program.holds(step, finding.subject.span.bytes))
    default: return common(step, finding.origin, connection)
    }
  }

  // MARK: connections

  mutating func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, isAttempt: Bool = false
  ) -> Truth {
    let facts = ConnectionFacts(opening, program)
    if !program.connectionSteps.isEmpty && !isAttempt {
      connections[connection] = facts
      last.number = 0
    }
    return edge(nil, connection: connection, delivery, facts)
  }

  mutating func closed(_ closing: Closing, connection: UInt32, _ delivery: Delivery) -> Truth {
    edge(closing, connection: connection, delivery, facts(connection))
  }

  /// The connection has ended.
  mutating func forget(_ connection: UInt32) {
    if connections.isEmpty { return }
    connections[connection] = nil
    last.number = 0
  }

  /// Tests the beginning or the end of a connection.
  private mutating func edge(
    _ closing: Closing?, connection: UInt32, _ delivery: Delivery, _ facts: ConnectionFacts
  ) -> Truth {
    judge { $0.truth(of: $1, closing, connection, delivery, facts) }
  }

  private mutating func truth(
    of step: Step, _ closing: Closing?, _ connection: UInt32, _ delivery: Delivery,
    _ facts: ConnectionFacts
  ) -> Truth {
    switch step.kind {
    case .late:
      return lates.truth(
        firstLate + Int(step.number), index: 0, connection: connection, session: nil)
    case .connection: return facts[step.number]
    case .field: break
    default: return .no
    }
    switch step.field {
    case .event: return Truth(program.holds(step, word: "connection"))
    case .closeCode: return Truth(closing?.code.map { program.holds(step, Int128($0)) } ?? false)
    case .closeReason:
      guard let reason = closing?.reason, !reason.isEmpty else { return .no }
      return Truth(program.holds(step, reason.span.bytes))
    case .closeReset: return Truth(closing?.isReset ?? false)
    case .closeBy:
      switch closing?.by {
      case .toServer: return Truth(program.holds(step, word: "client"))
      case .toClient: return Truth(program.holds(step, word: "server"))
      default: return .no
      }
    default: return common(step, delivery.origin, connection)
    }
  }

  /// Whether any message of the connection can match.
  mutating func mayMatch(_ connection: UInt32, _ facts: ConnectionFacts) -> Bool {
    var course = Course(program.start, isHopeful: true)
    while course.at >= 0 {
      let step = program.steps[Int(course.at)]
      switch step.kind {
      case .connection: course.take(step, facts[step.number])
      case .field where step.field == .connection && connection > 0:
        course.take(step, Truth(program.holds(step, Int128(connection))))
      default: course.take(step, .unknown)
      }
    }
    return course.at == Step.accept
  }

  /// Whether any message with this name can match.
  func mayMatch(name: Symbol, dialect: StaticString) -> Bool {
    var course = Course(program.start, isHopeful: true)
    while course.at >= 0 {
      let step = program.steps[Int(course.at)]
      switch (step.kind, step.field) {
      case (.field, .name): course.take(step, Truth(program.holds(step, symbol: name)))
      case (.field, .protocol): course.take(step, Truth(program.holds(step, word: dialect)))
      case (.field, .event): course.take(step, Truth(program.holds(step, word: "message")))
      default: course.take(step, .unknown)
      }
    }
    return course.at == Step.accept
  }

  /// Whether the result for a message depends on earlier ones.
  var remembers: Bool {
    !program.connectionSteps.isEmpty
      || program.steps.contains { $0.kind == .field && $0.field == .time }
  }

  // MARK: what all lines have

  @inline(__always)
  mutating func facts(_ connection: UInt32) -> ConnectionFacts {
    if last.number == connection && connection != 0 { return last.facts }
    last = (connection, connections[connection] ?? ConnectionFacts())
    return last.facts
  }

  mutating func common(_ step: Step, _ origin: Origin, _ connection: UInt32) -> Truth {
    switch step.field {
    case .connection: return Truth(connection > 0 && program.holds(step, Int128(connection)))
    case .time:
      if !origin.time.isKnown { return .no }
      return Truth(
        program.holds(step, origin.time, zone: ahead(of: origin), start: start))
    case .packet: return Truth(origin.record > 0 && program.holds(step, Int128(origin.record)))
    case .input:
      let input = Int(origin.input)
      return input < inputs.count ? text(inputs[input], step) : .no
    default: return .no
    }
  }

  /// The offset of the displayed clock from UTC, in seconds.
  private mutating func ahead(of origin: Origin) -> Int64 {
    if origin.isLocal { return 0 }
    let seconds = origin.time.nanoseconds / 1_000_000_000
    if shift.quarter != seconds / 900 { shift = (seconds / 900, zone(seconds)) }
    return shift.seconds
  }

  private func text(_ text: String, _ step: Step) -> Truth {
    if text.isEmpty { return .no }
    return Truth(program.holds(step, Array(text.utf8).span.bytes))
  }
}
