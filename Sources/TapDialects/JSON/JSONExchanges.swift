// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Which ids of one connection wait for an answer, as far as ids are questions at all: things have
/// ids, too.
struct JSONExchanges {
  /// One side.
  private struct Side {
    /// Its questions without an answer.
    var open: Set<UInt64> = []
    /// Ids that it has sent other than in an answer.
    var sent: Set<UInt64> = []
  }

  private var (client, server) = (Side(), Side())
  private var (asked, answered) = (0, 0)
  /// Questions had to be forgotten: `Limits.watchedEntries`.
  private(set) var hasForgotten = false
  /// Questions that may be open; more is taken from what all connections share.
  private var room: Int
  private let limits: Limits

  init(limits: Limits) { (self.limits, room) = (limits, limits.sessionEntries) }

  /// At least 8 of 10 questions were answered.
  var areAnswered: Bool { asked > 0 && answered * 10 >= asked * 8 }

  /// Whether a message with this id answers what the other side has asked.
  mutating func answer(_ key: UInt64, from direction: Direction) -> Bool {
    let isAnswer =
      switch direction {
      case .toServer: server.open.remove(key) != nil
      case .toClient: client.open.remove(key) != nil
      case .unknown: false
      }
    if isAnswer { answered += 1 }
    return isAnswer
  }

  /// Whether a message with this id may be a question: the id is no name of a thing that the other
  /// side has spoken of before.
  mutating func ask(_ key: UInt64, from direction: Direction) -> Bool {
    makeRoom()
    let isQuestion =
      switch direction {
      case .toServer: Self.ask(key, &client, server)
      case .toClient: Self.ask(key, &server, client)
      case .unknown: false
      }
    if isQuestion { asked += 1 }
    return isQuestion
  }

  private static func ask(_ key: UInt64, _ side: inout Side, _ other: Side) -> Bool {
    let isNew = side.sent.insert(key).inserted
    if other.sent.contains(key) { return false }
    // Used again, once it was answered: a thing, or the next part of a stream.
    if !isNew && !side.open.contains(key) { return false }
    return side.open.insert(key).inserted || !isNew
  }

  private mutating func makeRoom() {
    // What was sent long ago names a thing no more: forgetting it loses no question.
    Self.forgetSent(&client, limits.sessionEntries)
    Self.forgetSent(&server, limits.sessionEntries)
    if client.open.count + server.open.count < room { return }
    if limits.watchedEntries.take(room) {
      room *= 2
    } else {
      hasForgotten = true
      forget()
    }
  }

  private static func forgetSent(_ side: inout Side, _ most: Int) {
    if side.sent.count >= max(most, 2 * side.open.count) { side.sent = side.open }
  }

  /// Gives back what was taken.
  mutating func forget() {
    (client, server) = (Side(), Side())
    limits.watchedEntries.give(room - limits.sessionEntries)
    room = limits.sessionEntries
  }
}
