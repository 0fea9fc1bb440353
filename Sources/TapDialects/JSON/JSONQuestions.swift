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

  /// What one side has asked.
  private struct Side {
    var (asked, answered) = (0, 0)

    /// At least 80 % of the questions were answered.
    var isAnswered: Bool { asked > 0 && answered * 10 >= asked * 8 }
  }

  /// The first questions, about which no answer has told anything yet.
  private static let few = 8

  private var sent = IDTable<Senders>(minimumCapacity: 1)
  private var (client, server) = (Side(), Side())
  /// The kinds of questions that wait, and the kinds of each side of which one was answered.
  private var kinds = IDTable<UInt64>(minimumCapacity: 1)
  private var answeredKinds = IDTable<Bool>(minimumCapacity: 1)
  /// The names under which questions have their ids, as bits.
  private var askedNames: UInt16 = 0
  /// Answers name their question under another name than their own id, so that both sides may use
  /// the same ids.
  private(set) var isByReference = false
  /// Of a log, how many questions wait under an id that several have: they may be of several
  /// connections, and nothing says which of them an answer is for.
  private var shared = IDTable<Int>(minimumCapacity: 1)
  /// The limit of ids that are remembered.
  private let most: Int

  init(limits: Limits) { most = limits.sessionEntries }

  var hasAnswers: Bool { client.answered + server.answered > 0 }

  /// Whether at least 80 % of the questions of a side were answered.
  func areAnswered(from direction: Direction) -> Bool {
    (direction == .toServer ? client : server).isAnswered
  }

  /// Whether numbers that count what a side sends may be ids of questions: of the first ones, an
  /// answer names one.
  var mayBeCounted: Bool { hasAnswers || client.asked + server.asked < Self.few }

  /// A question was answered, by a message that has its id under a name.
  ///
  /// - Parameters:
  ///   - question: its id and the side that was asked.
  ///   - name: the bit of the name; 0 for a name that only answers have.
  mutating func noteAnswer(to question: WideKey, from direction: Direction, name: UInt16) {
    if direction == .toServer { server.answered += 1 } else { client.answered += 1 }
    if name & askedNames == 0 { isByReference = true }
    guard let kind = kinds.removeValue(for: question) else { return }
    if answeredKinds.count >= most { answeredKinds = IDTable(minimumCapacity: 1) }
    answeredKinds[Self.key(kind, direction.reversed)] = true
  }

  /// Whether an answer is due to what may be a question. Of the first ones of a client that is
  /// assumed; then, and for a server, one of its kind must have been answered before.
  func isDue(_ kind: UInt64, from direction: Direction) -> Bool {
    direction == .toServer && client.asked <= Self.few
      || answeredKinds[Self.key(kind, direction)] != nil
  }

  /// Whether questions have ids under this name.
  func asks(under name: UInt16) -> Bool { name & askedNames != 0 }

  private static func key(_ kind: UInt64, _ direction: Direction) -> WideKey {
    WideKey(UInt64(direction.rawValue), kind)
  }

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
  /// - Parameters:
  ///   - question: its id and the side that is asked.
  ///   - name: the bit of the name that the id stands under.
  ///   - isOpen: the sender's question with this id has no answer yet.
  mutating func ask(
    _ question: WideKey, from direction: Direction, name: UInt16, kind: UInt64, isOpen: Bool
  ) -> Bool {
    if direction == .unknown { return false }
    // Old ids hardly matter: forgetting them loses no question.
    if sent.count >= most { sent = IDTable(minimumCapacity: 1) }
    let sender: Senders = direction == .toServer ? .client : .server
    let (slot, isNew) = sent.insert(sender, for: WideKey(0, question.low))
    let before: Senders = isNew ? [] : sent[slot: slot]
    sent[slot: slot].formUnion(sender)
    if !isByReference && !before.subtracting(sender).isEmpty { return false }
    // An id used again after its answer names a thing, or the next part of a stream.
    if before.contains(sender) && !isOpen { return false }
    if direction == .toServer { client.asked += 1 } else { server.asked += 1 }
    askedNames |= name
    if kinds.count >= most { kinds = IDTable(minimumCapacity: 1) }
    kinds[question] = kind
    return true
  }
}
