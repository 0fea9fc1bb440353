// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapNames

/// A filter as a list of steps. Each leads to another one, so that only tests that can change the
/// outcome are made; cheap ones come first.
struct FilterProgram {
  /// A question that only later messages answer.
  struct Late {
    enum Question { case exchange, session, connection, answered, unanswered }

    var question: Question
    /// What a related message must match; nil for `answered`.
    var program: FilterProgram?
  }

  private(set) var steps: ContiguousArray<Step> = []
  private(set) var constants: ContiguousArray<Constant> = []
  private(set) var texts = Scratch()
  private(set) var patterns: ContiguousArray<Pattern> = []
  private(set) var subjects: ContiguousArray<SubjectPattern> = []
  private(set) var addresses: ContiguousArray<AddressForm> = []
  private(set) var paths: ContiguousArray<Path> = []
  private(set) var lates: ContiguousArray<Late> = []
  /// Tests of the connection, by their bits; all but those of the realm.
  private(set) var connectionSteps: ContiguousArray<Step> = []
  /// It tests the kind of line or findings, so findings are matched by themselves.
  private(set) var isAboutFindings = false
  /// Whether it tests a time since the first message.
  private(set) var start: Int32 = Step.accept
  private var labels: [Int32] = []

  /// The limit of connection tests in one filter, a bit for each.
  static let mostConnectionTests = 64

  init(_ expression: Expression) {
    emit(expression, negated: false, yes: Step.accept, no: Step.reject)
    if steps.isEmpty { return }
    start = 0
    for index in steps.indices {
      steps[index].yes = resolved(steps[index].yes)
      steps[index].no = resolved(steps[index].no)
    }
  }

  /// How many passes over the input precede the one that shows anything.
  var passes: Int {
    lates.map { 1 + ($0.program?.passes ?? 0) }.max() ?? 0
  }

  /// Until all steps are placed, labels are numbers from this one downwards.
  private static let firstLabel: Int32 = -10

  private mutating func label() -> Int32 {
    labels.append(0)
    return Self.firstLabel - Int32(labels.count - 1)
  }

  private mutating func place(_ label: Int32) {
    labels[Int(Self.firstLabel - label)] = Int32(steps.count)
  }

  private func resolved(_ target: Int32) -> Int32 {
    target <= Self.firstLabel ? labels[Int(Self.firstLabel - target)] : target
  }

  private mutating func emit(_ expression: Expression, negated: Bool, yes: Int32, no: Int32) {
    switch expression {
    case .everything: break
    case .not(let inside): emit(inside, negated: !negated, yes: no, no: yes)
    case .and(let all), .or(let all):
      let isAnd = if case .and = expression { true } else { false }
      let ordered = Self.ordered(all)
      for (index, one) in ordered.enumerated() {
        if index == ordered.count - 1 { return emit(one, negated: negated, yes: yes, no: no) }
        let next = label()
        emit(one, negated: negated, yes: isAnd ? next : yes, no: isAnd ? no : next)
        place(next)
      }
    case .scope(let scope, let inside):
      let question: Late.Question =
        switch scope {
        case .exchange: .exchange
        case .session: .session
        case .connection: .connection
        }
      lates.append(Late(question: question, program: FilterProgram(inside)))
      var step = Step(kind: .late)
      step.number = Int32(lates.count - 1)
      append(step, negated: negated, yes: yes, no: no)
    case .test(let test): emit(test, negated: negated, yes: yes, no: no)
    }
  }

  private mutating func append(_ step: Step, negated: Bool, yes: Int32, no: Int32) {
    var step = step
    (step.isNegated, step.yes, step.no) = (negated, yes, no)
    steps.append(step)
  }

  private mutating func emit(_ test: Test, negated: Bool, yes: Int32, no: Int32) {
    var step = Step(kind: .field)
    (step.relation, step.isLength) = (test.relation, test.isLength)
    if let pattern = test.pattern {
      step.pattern = Int32(patterns.count)
      patterns.append(pattern)
    }
    let first = constants.count
    for literal in test.literals { append(literal) }
    step.constants = ByteRange(first, constants.count)
    switch test.operand {
    case .field(let field): return emit(field, step, negated: negated, yes: yes, no: no)
    case .id(let name):
      step.kind = .id
      step.word = keep(name)
    case .named(let path):
      step.kind = .named
      step.word = keep(path)
    case .path(let path):
      step.kind = .path
      step.number = Int32(paths.count)
      paths.append(path)
    case .words: step.kind = .words
    }
    append(step, negated: negated, yes: yes, no: no)
  }

  private mutating func emit(
    _ field: Field, _ made: Step, negated: Bool, yes: Int32, no: Int32
  ) {
    var step = made
    step.field = field
    if [.finding, .severity, .security, .source, .text, .event].contains(field) {
      isAboutFindings = true
    }
    // `answered == false` means `not answered`.
    let isReversed =
      field.entry.type == .flag && step.relation != .exists
      && (constants[step.constants.start].kind == .no) != (step.relation == .notEqual)
    if field.entry.type == .flag { step.relation = .exists }
    let (yes, no) = isReversed ? (no, yes) : (yes, no)
    let negated = negated != isReversed
    switch field {
    case .answered, .unanswered:
      lates.append(Late(question: field == .answered ? .answered : .unanswered, program: nil))
      step.kind = .late
      step.number = Int32(lates.count - 1)
    case .client, .server, .url, .subprotocol, .writer, .carrier, .tlsVersion, .tlsServerName,
      .tlsCipherSuite, .realm:
      step.kind = .connection
      step.number = Int32(connectionSteps.count)
      connectionSteps.append(step)
    default: break
    }
    append(step, negated: negated, yes: yes, no: no)
  }

  private mutating func keep(_ text: [UInt8]) -> ByteRange {
    let start = texts.count
    texts.append(text.span.bytes)
    return ByteRange(start, texts.count)
  }

  private mutating func append(_ literal: Literal) {
    var constant = Constant(kind: .null)
    switch literal.value {
    case .numbers(let low, let high):
      (constant.kind, constant.low, constant.high) = (.numbers, low, high)
    case .clock(let low, let high):
      (constant.kind, constant.low, constant.high) = (.clock, low, high)
    case .sinceStart(let low, let high):
      (constant.kind, constant.low, constant.high) = (.sinceStart, low, high)
    case .decimals(let first, let last):
      (constant.kind, constant.first, constant.last) = (.decimals, first, last)
    case .text(let text):
      constant.kind = .text
      constant.text = keep(text)
      constant.rarest = Int32(Search.rarest(in: text))
      // An id is a number, or its digits as text.
      let number = Int128(String(decoding: text, as: Unicode.UTF8.self))
      if let number { (constant.low, constant.high) = (number, number) }
      if number == nil { (constant.low, constant.high) = (1, 0) }
    case .subjects(let pattern):
      (constant.kind, constant.number) = (.subjects, Int32(subjects.count))
      subjects.append(pattern)
    case .addresses(let form):
      (constant.kind, constant.number) = (.addresses, Int32(addresses.count))
      addresses.append(form)
    case .yes: constant.kind = .yes
    case .no: constant.kind = .no
    case .null: break
    }
    constants.append(constant)
  }

  /// Cheap ones first; with equal cost, in written order.
  private static func ordered(_ all: [Expression]) -> [Expression] {
    all.enumerated().sorted { (cost($0.element), $0.offset) < (cost($1.element), $1.offset) }
      .map(\.element)
  }

  private static func cost(_ expression: Expression) -> Int {
    switch expression {
    case .everything: 0
    case .not(let inside): cost(inside)
    case .and(let all), .or(let all): all.map(cost).max() ?? 0
    case .scope: 3
    case .test(let test):
      switch test.operand {
      case .field(.body): 60
      case .field(.subject), .field(.error): 10
      case .field: test.relation == .matches ? 12 : 2
      case .id, .named: 4
      case .path(let path): 30 + path.steps.count + (test.relation == .matches ? 20 : 0)
      case .words: 50
      }
    }
  }
}
