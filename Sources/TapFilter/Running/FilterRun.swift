// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// One filter over one run: what its passes find out, and how many lines matched.
public final class FilterRun {
  public let filter: Filter
  let lates = LateAnswers()
  /// Programs inside of the filter, with their places among the late questions.
  private(set) var questions: [Question] = []
  let inputs: [String]
  let zone: @Sendable (Int64) -> Int64
  let limits: Limits
  /// Show what may match, too.
  public let showsPossible: Bool

  /// Messages that were told, that matched, and that may have matched.
  public internal(set) var told: UInt64 = 0
  public internal(set) var matched: UInt64 = 0
  public internal(set) var possible: UInt64 = 0
  /// Messages beyond `Limits.filteredMessages`, which are of no exchange.
  public internal(set) var unjoined: UInt64 = 0
  /// Messages that did not match when there was no more room to wait for what follows.
  public internal(set) var unawaited: UInt64 = 0
  /// Where lines wait for what follows: messages that were shown, and that may be shown.
  var shown: UInt64 = 0
  let most: UInt64

  /// A late question, which one pass answers.
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
  ///   - waits: lines are shown while the traffic comes: they wait for the messages that decide.
  ///     Only for filters of one pass.
  ///   - most: messages that may be shown, where they wait.
  ///   - zone: seconds that the clock of `-t a` is ahead of UTC at a second since 1970.
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

  /// Gives the late questions of a program their places; answers the first.
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

  /// Where lines wait, several are shown with one message: they are counted here, and the renderer
  /// says of the last alone that it is shown.
  public var countsItself: Bool { lates.isWaiting && most < .max }

  /// How often the evidence is read before the reading that shows something.
  public var passes: Int { lates.isWaiting ? 0 : filter.passes }

  /// Hears one of the passes that come before anything is shown.
  ///
  /// - Parameter pass: from 1.
  public func collector(pass: Int) -> any Renderer {
    BoxedRenderer(LateAnswerCollector(self, pass: pass))
  }

  /// Shows what matches.
  public func renderer(around inner: any Renderer) -> any Renderer {
    let filtering = FilterRenderer(self, inner)
    if lates.isWaiting { return BoxedRenderer(WaitingRenderer(self, filtering)) }
    return BoxedRenderer(filtering)
  }
}
