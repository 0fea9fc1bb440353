// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What only later messages show: whether a message was answered, and whether one of its exchange,
/// session or connection matches. Passes over the input find it, or a run in which lines wait.
final class LateAnswers {
  /// The answers to one question.
  struct Answer {
    var question: FilterProgram.Late.Question
    /// For exchanges and answered messages: bits by message index.
    var yes = BitTable()
    var possible = BitTable()
    /// For sessions and connections.
    var yesKeys: Set<UInt64> = []
    var possibleKeys: Set<UInt64> = []
    /// The answer is final; used only when lines wait.
    var settled = BitTable()
  }

  var answers: [Answer] = []
  /// Which messages belong to one exchange.
  var exchanges = ExchangeTable()
  /// Lines are shown during the traffic, so answers may still change.
  var isWaiting = false
  /// When lines wait: the exchanges (by their first message) and connections that changed since the
  /// last check.
  private(set) var changedExchanges: [UInt64] = []
  private(set) var changedConnections: [UInt32] = []
  /// The number of unanswered requests of each exchange, by its first message; when there are too
  /// many exchanges, all are forgotten, as if answered.
  private var openLegs: [UInt64: Int] = [:]
  /// Merges of exchanges since the last call.
  private var merges: [ExchangeTable.Merge] = []

  static func key(_ connection: UInt32, _ session: UInt16) -> UInt64 {
    UInt64(connection) << 16 | UInt64(session)
  }

  /// - Parameter session: nil for lines about the whole connection.
  func truth(_ number: Int, index: UInt64, connection: UInt32, session: UInt16?) -> Truth {
    let answer = answers[number]
    switch answer.question {
    case .answered, .unanswered, .exchange:
      if index == 0 { return .no }
      let at = answer.question == .exchange ? exchanges.root(of: index) : index
      if answer.yes[at] { return .yes }
      return answer.possible[at] || isWaiting && !answer.settled[at] ? .unknown : .no
    case .session:
      guard let session else { return .no }
      return truth(answer, Self.key(connection, session))
    case .connection: return truth(answer, UInt64(connection))
    }
  }

  private func truth(_ answer: Answer, _ key: UInt64) -> Truth {
    if answer.yesKeys.contains(key) { return .yes }
    return answer.possibleKeys.contains(key) || isWaiting ? .unknown : .no
  }

  /// Whether later lines may change an answer about a message.
  func isOpen(_ message: Message, _ view: MessageView) -> Bool {
    answers.contains { answer in
      switch answer.question {
      case .answered, .unanswered: !answer.settled[view.joined.index]
      case .exchange: !answer.settled[exchanges.root(of: view.joined.index)]
      case .session:
        !answer.yesKeys.contains(Self.key(view.joined.connection, message.session))
      case .connection: !answer.yesKeys.contains(UInt64(view.joined.connection))
      }
    }
  }

  /// Merges exchanges that a message has shown to be one.
  func mergeExchanges() {
    for merge in exchanges.takeMerges() {
      for number in answers.indices where answers[number].question == .exchange {
        if answers[number].yes[merge.from] { answers[number].yes[merge.into] = true }
        if answers[number].possible[merge.from] { answers[number].possible[merge.into] = true }
      }
      if let legs = openLegs.removeValue(forKey: merge.from) {
        openLegs[merge.into, default: 0] += legs
      }
      merges.append(merge)
      changedExchanges.append(merge.into)
    }
  }

  /// A request, or the last answer to one.
  ///
  /// - Returns: true when all requests of the exchange are answered.
  func count(_ legs: Int, of root: UInt64, _ limits: Limits) -> Bool {
    if openLegs.count >= limits.openExchanges { openLegs.removeAll() }
    let left = openLegs[root, default: 0] + legs
    openLegs[root] = left > 0 ? left : nil
    return left <= 0
  }

  func change(exchange root: UInt64) { changedExchanges.append(root) }

  func change(connection: UInt32) { changedConnections.append(connection) }

  func takeMerges() -> [ExchangeTable.Merge] { Self.take(&merges) }
  func takeChangedExchanges() -> [UInt64] { Self.take(&changedExchanges) }
  func takeChangedConnections() -> [UInt32] { Self.take(&changedConnections) }

  private static func take<Element>(_ list: inout [Element]) -> [Element] {
    defer { list.removeAll(keepingCapacity: true) }
    return list
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
