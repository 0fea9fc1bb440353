// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Decides which ids of one connection belong to questions, as things have ids too. `ExchangeRules`
/// knows which questions are open.
struct JSONQuestions {
  /// The sides that have sent an id outside of answers.
  private struct Senders: OptionSet, BitwiseCopyable {
    let rawValue: UInt8
    static let client = Senders(rawValue: 1)
    static let server = Senders(rawValue: 2)
  }

  private var sent = IDTable<Senders>(minimumCapacity: 1)
  private var (asked, answered) = (0, 0)
  /// Of a log, how many questions wait under an id that several have: they may be of several
  /// connections, and nothing says which of them an answer is for.
  private var shared = IDTable<Int>(minimumCapacity: 1)
  /// The limit of ids that are remembered.
  private let most: Int

  init(limits: Limits) { most = limits.sessionEntries }

  var hasAnswers: Bool { answered > 0 }

  /// At least 80 % of the questions were answered.
  var areAnswered: Bool { asked > 0 && answered * 10 >= asked * 8 }

  /// Whether numbers that count what a side sends may be ids of questions: of the first ones, an
  /// answer names one.
  var mayBeCounted: Bool { answered > 0 || asked < 8 }

  mutating func noteAnswer() { answered += 1 }

  /// A question has an id under which another waits.
  mutating func share(_ key: WideKey) {
    if shared.count >= most { shared = IDTable(minimumCapacity: 1) }
    shared[key] = (shared[key] ?? 1) + 1
  }

  /// Takes one of the questions that wait under an id; returns how many were left until now, nil
  /// where the id is that of one alone.
  mutating func takeShared(_ key: WideKey) -> Int? {
    guard let count = shared[key] else { return nil }
    if count > 1 { shared[key] = count - 1 } else { _ = shared.removeValue(for: key) }
    return count
  }

  /// Whether a message with this id may be a question. It is not when the other side has used the
  /// id before, for a thing.
  ///
  /// - Parameter isOpen: the sender's question with this id has no answer yet.
  mutating func ask(_ key: UInt64, from direction: Direction, isOpen: Bool) -> Bool {
    if direction == .unknown { return false }
    // Old ids hardly matter: forgetting them loses no question.
    if sent.count >= most { sent = IDTable(minimumCapacity: 1) }
    let sender: Senders = direction == .toServer ? .client : .server
    let (slot, isNew) = sent.insert(sender, for: WideKey(0, key))
    let before: Senders = isNew ? [] : sent[slot: slot]
    sent[slot: slot].formUnion(sender)
    if !before.subtracting(sender).isEmpty { return false }
    // An id used again after its answer names a thing, or the next part of a stream.
    if before.contains(sender) && !isOpen { return false }
    asked += 1
    return true
  }
}
