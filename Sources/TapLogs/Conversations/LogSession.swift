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
  private var lastWay: LogRule.Way?
  /// Whether the side that writes the log, and the other, have said that it ends.
  private var farewells: (sent: Bool, received: Bool) = (false, false)

  /// One has begun that was not answered.
  var isUnanswered: Bool { phase == .open && !isAnswered }

  /// Whether a session that begins now is another than this one, which has ended, or goes on
  /// already.
  var isUsed: Bool { phase == .ended || isAnswered }

  /// Whether both sides have ended it: nothing more of it comes.
  var isOver: Bool { farewells.sent && farewells.received }

  /// Whether the same side has ended it before.
  func hasEnded(_ way: LogRule.Way) -> Bool {
    way.isSending ? farewells.sent : farewells.received
  }

  /// Whether it goes on with a message of this way: the two sides take turns until it has an id.
  func awaits(_ way: LogRule.Way) -> Bool {
    guard phase == .open, !isWelcomed, let lastWay else { return false }
    return lastWay.isSending != way.isSending
  }

  mutating func begin() { (phase, isAnswered) = (.open, false) }

  mutating func end() { phase = .ended }

  mutating func note(_ recognition: Recognition, _ way: LogRule.Way) {
    if recognition.begins { (farewells, isWelcomed) = ((false, false), false) }
    if recognition.session != 0 { isWelcomed = true }
    if way != .unsaid { lastWay = way }
    if !recognition.ends { return }
    if way.isSending { farewells.sent = true } else { farewells.received = true }
  }
}
