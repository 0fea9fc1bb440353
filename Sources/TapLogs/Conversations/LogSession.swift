// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// How far the session of a conversation has come.
struct LogSession {
  enum Phase {
    /// No line has its beginning.
    case unknown
    /// It has begun and not ended.
    case open
    case ended
  }

  private(set) var phase = Phase.unknown
  /// The side that began has had an answer.
  var isAnswered = false
  private(set) var isWelcomed = false
  /// The way of its last message, where lines say it.
  private var lastDirection: LogDirection?
  /// Whether the side that writes the log, and the other, have said that it ends.
  private var farewells: (sent: Bool, received: Bool) = (false, false)

  /// It has begun, and was not answered.
  var isUnanswered: Bool { phase == .open && !isAnswered }

  /// Whether a session that begins now must be a new one: this one has ended or was answered.
  var isUsed: Bool { phase == .ended || isAnswered }

  /// Whether both sides have ended it: nothing more of it comes.
  var isOver: Bool { farewells.sent && farewells.received }

  /// Whether the same side has ended it before.
  func hasEnded(_ direction: LogDirection) -> Bool {
    direction.isSending ? farewells.sent : farewells.received
  }

  /// Whether it goes on with a message of this way: the two sides take turns until it has an id.
  func awaits(_ direction: LogDirection) -> Bool {
    guard phase == .open, !isWelcomed, let lastDirection else { return false }
    return lastDirection.isSending != direction.isSending
  }

  mutating func begin() { (phase, isAnswered) = (.open, false) }

  /// A session begins, and nobody need wait for its answer. Unless it comes first, others may be in
  /// the log as well.
  mutating func beginAmongOthers() {
    (phase, isAnswered) = (lastDirection == nil ? .open : .unknown, true)
  }

  mutating func end() { phase = .ended }

  mutating func note(_ recognition: Recognition, _ direction: LogDirection) {
    if recognition.begins { (farewells, isWelcomed) = ((false, false), false) }
    if recognition.session != 0 { isWelcomed = true }
    if direction != .unsaid { lastDirection = direction }
    if !recognition.ends { return }
    if recognition.endsForBoth || direction.isSending { farewells.sent = true }
    if recognition.endsForBoth || !direction.isSending { farewells.received = true }
  }
}
