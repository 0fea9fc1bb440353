// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// What is known of one conversation of a log.
struct LogTalk {
  /// What the lines of a conversation have in common.
  struct Name: Hashable {
    var format: Int
    var writer: String
    /// 0 where the format names none.
    var session: UInt64
    /// Octets of its stream are printed, not its messages.
    var isStream = false
  }

  /// Requests that are remembered.
  private static let mostAsked = 1024

  let flow: UInt32
  /// Who writes it; unknown until a message has told.
  var side: LogFormat.Side
  /// Nothing of it comes any more.
  var isClosed = false
  /// A session has begun and not ended.
  var isOpen = false
  /// Some of its messages do not say who sent them, or are not written.
  var isMixed = false
  /// Somebody has answered the one who began.
  var isGranted = false
  /// A session has ended in it.
  var isEnded = false
  /// Where its last message is.
  var last = Origin()
  /// Octets of its stream, to the server and to the client.
  var octets: (UInt64, UInt64) = (0, 0)
  private var asked: Set<UInt64> = []
  /// The highest id of what clients ask, which count up (WAMP, "Protocol Scope of IDs").
  private var lastRequest: UInt64 = 0
  /// Who has said that the session ends: who writes the log, and the other.
  private var farewells: (sent: Bool, received: Bool) = (false, false)

  init(flow: UInt32, side: LogFormat.Side) { (self.flow, self.side) = (flow, side) }

  /// Whether a session that begins now is another than the one that is here: that one has ended, or
  /// goes on already.
  var isUsed: Bool { isEnded || isGranted }

  /// Whether an answer is awaited here.
  func awaits(_ exchange: UInt64) -> Bool { asked.contains(exchange) }

  /// Whether a request has the id of one that was before it: it is of another session.
  func repeats(_ likeness: Likeness) -> Bool {
    guard let id = Self.request(likeness) else { return false }
    return id <= lastRequest
  }

  /// The id of a request of a client; nil for anything else.
  private static func request(_ likeness: Likeness) -> UInt64? {
    let code = likeness.opens >> 56
    return code == 0 || code > 66 ? nil : likeness.opens & 0xFF_FFFF_FFFF_FFFF
  }

  /// Whether the same side has ended the session before.
  func hasEnded(_ way: LogRule.Way) -> Bool {
    way == .sent || way == .toServer ? farewells.sent : farewells.received
  }

  /// Remembers what a message asks, and forgets what it answers.
  mutating func note(_ likeness: Likeness, _ way: LogRule.Way) {
    if let id = Self.request(likeness) { lastRequest = max(lastRequest, id) }
    if likeness.begins { (lastRequest, farewells) = (0, (false, false)) }
    if likeness.ends {
      let isSent = way == .sent || way == .toServer
      if isSent { farewells.sent = true } else { farewells.received = true }
    }
    if likeness.opens != 0 {
      if asked.count >= Self.mostAsked { asked.removeAll() }
      asked.insert(likeness.opens)
    }
    if likeness.answers != 0 { asked.remove(likeness.answers) }
  }

  /// Which side writes it: its format says so, or what it sends.
  mutating func learn(_ sight: LogSight, _ way: LogRule.Way) {
    if side != .unknown { return }
    if sight.side != .unknown {
      side = sight.side
    } else if sight.likeness.direction != .unknown {
      let isUp = sight.likeness.direction == .toServer
      switch way {
      case .sent: side = isUp ? .client : .router
      case .received: side = isUp ? .router : .client
      case .toServer, .toClient, .unsaid: break
      }
    }
  }
}
