// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapFilter
import TapTraffic

/// Selects the judges that need a message: most filters test its name first.
final class JudgeInterests {
  /// A set of judges; those from 63 on share a bit.
  struct Judges {
    var bits: UInt64 = 0

    var isEmpty: Bool { bits == 0 }

    func contains(_ number: Int) -> Bool { bits >> UInt64(min(number, 63)) & 1 == 1 }

    mutating func insert(_ number: Int) { bits |= 1 << UInt64(min(number, 63)) }
  }

  /// The judges that wait for answers.
  let answers: [AnsweredJudge]
  private let judges: [Judge]
  private var countsSessions = Judges()
  /// The judges for each message name seen so far.
  private var names = IDTable<UInt64>()

  init(_ judges: [Judge]) {
    self.judges = judges
    answers = judges.compactMap { $0 as? AnsweredJudge }
    for (number, judge) in judges.enumerated() {
      if judge is CountJudge && judge.expectation.grouping == .session {
        countsSessions.insert(number)
      }
    }
  }

  func of(_ message: Message, _ context: CheckContext) -> Judges {
    // Whatever it is called, it may be any message.
    if message.isUnread { return Judges(bits: .max) }
    let key = WideKey(message.name.identity, Symbol(message.dialect).identity)
    var found = Judges(bits: names[key] ?? learn(message, key))
    if context.isSessionNew { found.bits |= countsSessions.bits }
    return found
  }

  private func learn(_ message: Message, _ key: WideKey) -> UInt64 {
    var all = Judges()
    for (number, judge) in judges.enumerated() {
      let isIgnored = judge.matchers.allSatisfy {
        $0.ignores(name: message.name, dialect: message.dialect)
      }
      if !isIgnored { all.insert(number) }
    }
    names[key] = all.bits
    return all.bits
  }
}
