// SPDX-License-Identifier: Apache-2.0

/// What is known only later than a message: whether it was answered, whether one of its exchange,
/// its session or its connection matches. Passes over the evidence find it, or a run that waits.
final class LateAnswers {
  /// What one question has come to.
  struct Answer {
    var question: FilterProgram.Late.Question
    /// Of exchanges and of what was answered: bits by index of message.
    var yes = BitTable()
    var possible = BitTable()
    /// Of sessions and connections.
    var yesKeys: Set<UInt64> = []
    var possibleKeys: Set<UInt64> = []
  }

  var answers: [Answer] = []
  /// Which messages are of one exchange.
  var exchanges = ExchangeTable()

  static func key(_ connection: UInt32, _ session: UInt16) -> UInt64 {
    UInt64(connection) << 16 | UInt64(session)
  }

  /// - Parameter session: nil for what is of the connection as a whole.
  func truth(_ number: Int, index: UInt64, connection: UInt32, session: UInt16?) -> Truth {
    let answer = answers[number]
    switch answer.question {
    case .answered, .unanswered, .exchange:
      if index == 0 { return .no }
      let at = answer.question == .exchange ? exchanges.root(of: index) : index
      return answer.yes[at] ? .yes : answer.possible[at] ? .unknown : .no
    case .session:
      guard let session else { return .no }
      let key = Self.key(connection, session)
      return answer.yesKeys.contains(key)
        ? .yes : answer.possibleKeys.contains(key) ? .unknown : .no
    case .connection:
      let key = UInt64(connection)
      return answer.yesKeys.contains(key)
        ? .yes : answer.possibleKeys.contains(key) ? .unknown : .no
    }
  }
}

/// Bits by number.
struct BitTable {
  private var words: ContiguousArray<UInt64> = []

  subscript(number: UInt64) -> Bool {
    get {
      let word = Int(number >> 6)
      return word < words.count && words[word] & 1 << (number & 63) != 0
    }
    set {
      let word = Int(number >> 6)
      while words.count <= word { words.append(0) }
      let bit = UInt64(1) << (number & 63)
      words[word] = newValue ? words[word] | bit : words[word] & ~bit
    }
  }

  func forEach(_ body: (UInt64) -> Void) {
    for (index, word) in words.enumerated() where word != 0 {
      for bit in 0..<64 where word & 1 << bit != 0 { body(UInt64(index * 64 + bit)) }
    }
  }
}
