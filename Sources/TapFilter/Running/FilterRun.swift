// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// One filter over one run: the results of its passes, and the counts of matching lines.
public final class FilterRun {
  public let filter: Filter
  let lates = LateAnswers()
  /// The nested programs of the filter, with the indices of their late questions.
  private(set) var questions: [Question] = []
  let inputs: [String]
  let zone: @Sendable (Int64) -> Int64
  let limits: Limits
  /// Show possible matches too.
  public let showsPossible: Bool

  /// The numbers of reported, matching and possibly matching messages.
  public internal(set) var reported: UInt64 = 0
  public internal(set) var matched: UInt64 = 0
  public internal(set) var possible: UInt64 = 0
  /// Whether a finding or a connection has matched by itself.
  public internal(set) var hasOthers = false
  /// The number of messages beyond `Limits.filteredMessages`, which are not assigned to an
  /// exchange.
  public internal(set) var unjoined: UInt64 = 0
  /// The number of messages that did not match yet when the limit of waiting was reached.
  public internal(set) var unawaited: UInt64 = 0
  /// When lines wait: how many messages were shown, and the limit.
  var shown: UInt64 = 0
  let most: UInt64

  /// A late question, answered by one pass.
  struct Question {
    var number: Int
    var question: FilterProgram.Late.Question
    var program: FilterProgram?
    var firstLate: Int
    /// From 1.
    var pass: Int
  }

  /// - Parameters:
  ///   - inputs: names of the inputs as typed, by number.
  ///   - waits: lines are shown during the traffic and wait for the messages that decide. Only for
  ///     filters of one pass.
  ///   - most: the limit of shown messages when they wait.
  ///   - zone: the offset of `-t a`'s clock from UTC in seconds, at a second since 1970.
  public init(
    _ filter: Filter, inputs: [String], showsPossible: Bool, limits: Limits,
    waits: Bool = false, most: UInt64 = .max,
    zone: @escaping @Sendable (Int64) -> Int64
  ) {
    (self.filter, self.inputs, self.zone) = (filter, inputs, zone)
    (self.showsPossible, self.limits, self.most) = (showsPossible, limits, most)
    lates.isWaiting = waits
    _ = register(filter.program)
  }

  /// Registers the late questions of a program; returns the index of the first.
  private func register(_ program: FilterProgram) -> Int {
    let first = lates.answers.count
    for late in program.lates { lates.answers.append(LateAnswers.Answer(question: late.question)) }
    for (index, late) in program.lates.enumerated() {
      let inner = late.program.map { register($0) } ?? 0
      questions.append(
        Question(
          number: first + index, question: late.question, program: late.program,
          firstLate: inner, pass: 1 + (late.program?.passes ?? 0)))
    }
    return first
  }

  /// When lines wait, one message may show several; they are counted here, and the renderer reports
  /// only the last one as shown.
  public var countsItself: Bool { lates.isWaiting && most < .max }

  /// How many passes over the input precede the one that shows anything.
  public var passes: Int { lates.isWaiting ? 0 : filter.passes }

  /// The renderer for one of the passes before anything is shown.
  ///
  /// - Parameter pass: from 1.
  public func collector(pass: Int) -> any Renderer {
    BoxedRenderer(LateAnswerCollector(self, pass: pass))
  }

  /// The renderer that shows matching lines.
  public func renderer(around inner: any Renderer) -> any Renderer {
    let filtering = FilterRenderer(self, inner)
    if lates.isWaiting { return BoxedRenderer(WaitingRenderer(self, filtering)) }
    return BoxedRenderer(filtering)
  }
}
