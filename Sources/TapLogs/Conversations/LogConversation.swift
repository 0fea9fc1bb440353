// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// What is known of one conversation of a log.
struct LogConversation {
  /// What the lines of a conversation have in common.
  struct Name: Hashable {
    var format: Int
    var writer: String
    var source = ""
    /// 0 where the format names none.
    var session: UInt64
    /// Bytes of its stream are printed, not its messages.
    var isStream = false
    /// Objects with a mark of their own: what other messages behind the same words are of, they are
    /// not.
    var isOfMarkedObjects = false
    /// The same of JSON that is a message because somebody sent it.
    var isOfSentJSON = false
    /// Several sessions are open, and what belongs to either is in none of them.
    var isUnsure = false
  }

  /// Requests that are remembered, and grants.
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
  /// It was said that messages of others may stand in it.
  var hasToldMixing = false
  /// Somebody has answered the one who began.
  var isGranted = false
  /// A session has ended in it.
  var isEnded = false
  /// Where its last message is.
  var last = Origin()
  /// Bytes of its stream, to the server and to the client.
  var octets: (UInt64, UInt64) = (0, 0)
  private var asked = IDTable<Bool>(minimumCapacity: 1)
  /// Subscriptions and registrations that were granted in it.
  private var granted = IDTable<Bool>(minimumCapacity: 1)
  /// The highest id of what clients ask, which count up (WAMP, "Protocol Scope of IDs").
  private var lastRequest: UInt64 = 0
  /// Who has said that the session ends: who writes the log, and the other.
  private var farewells: (sent: Bool, received: Bool) = (false, false)

  /// How many messages say that either writes it. What its format says counts as some.
  private var votes = (client: 0, server: 0)
  /// Whoever writes it has sent something, and received something.
  private var hasSent = false
  private var hasReceived = false
  /// Lines of it are missing, as ids say.
  private var hasSkipped = false
  /// It was said that lines contradict each other.
  var isContradicted = false
  /// Messages of several sessions stand in it: any number may be missing before each of them.
  var hasSeveralSessions = false
  /// Lines that name it differently, or not at all, are of it.
  var isShared = false
  /// It was said that the number of a request is used again.
  var hasReused = false
  /// A session was welcomed in it.
  var isWelcomed = false

  init(flow: UInt32, side: LogFormat.Side, isSure: Bool) {
    (self.flow, self.side) = (flow, side)
    let weight = isSure ? Int.max / 2 : 2
    switch side {
    case .client: votes.client = weight
    case .server: votes.server = weight
    case .unknown: break
    }
  }

  /// Whether a session that begins now is another than the one that is here: that one has ended, or
  /// goes on already.
  var isUsed: Bool { isEnded || isGranted }

  /// Whether a session that is welcomed now is another than the one that is here, which was
  /// welcomed itself, or asked before.
  var isTaken: Bool { isWelcomed || !isOpen && asked.count > 0 }

  /// Whether an answer is awaited here.
  func awaits(_ exchange: UInt64) -> Bool { asked[WideKey(0, exchange)] != nil }

  /// Whether what a message is delivered under was granted here.
  func holds(_ grant: UInt64) -> Bool { granted[WideKey(0, grant)] != nil }

  /// Whether a request has the id of one that was before it: it is of another session.
  func repeats(_ recognition: Recognition) -> Bool {
    recognition.sequence != 0 && recognition.sequence <= lastRequest
  }

  /// Whether ids were passed over: lines are missing, since ids count up by one (WAMP, "Protocol
  /// Scope of IDs"). Told once.
  mutating func skips(_ recognition: Recognition) -> Bool {
    guard !hasSkipped, recognition.sequence > lastRequest + 1 else { return false }
    hasSkipped = true
    return true
  }

  /// Whether the same side has ended the session before.
  func hasEnded(_ way: LogRule.Way) -> Bool {
    way == .sent || way == .toServer ? farewells.sent : farewells.received
  }

  /// Whether both sides have ended the session: nothing more of it comes.
  var isOver: Bool { farewells.sent && farewells.received }

  /// Whether all its messages went the other way.
  func lacks(_ way: LogRule.Way) -> Bool {
    if isOver || isMixed { return false }
    switch way {
    case .sent: return hasReceived && !hasSent
    case .received: return hasSent && !hasReceived
    case .toServer: return lacks(side == .server ? .received : .sent)
    case .toClient: return lacks(side == .server ? .sent : .received)
    case .unsaid: return false
    }
  }

  /// Remembers what a message asks, and forgets what it answers.
  mutating func note(_ recognition: Recognition, _ way: LogRule.Way) {
    if way == .sent { hasSent = true }
    if way == .received { hasReceived = true }
    lastRequest = max(lastRequest, recognition.sequence)
    if recognition.begins {
      (lastRequest, farewells, isWelcomed) = (0, (false, false), false)
      granted = IDTable(minimumCapacity: 1)
    }
    if recognition.grants != 0 {
      if granted.count >= Self.mostAsked { granted = IDTable(minimumCapacity: 1) }
      granted[WideKey(0, recognition.grants)] = true
    }
    if recognition.session != 0 { isWelcomed = true }
    if recognition.ends {
      let isSent = way == .sent || way == .toServer
      if isSent { farewells.sent = true } else { farewells.received = true }
    }
    if recognition.opens != 0 {
      if asked.count >= Self.mostAsked { asked = IDTable(minimumCapacity: 1) }
      asked[WideKey(0, recognition.opens)] = true
    }
    if recognition.answers != 0 { _ = asked.removeValue(for: WideKey(0, recognition.answers)) }
  }

  /// Which side writes it: what its messages say, whose types go one way only. One line may be
  /// wrong about who sends; most are not.
  mutating func learn(_ candidate: LogCandidate, _ way: LogRule.Way) {
    guard candidate.recognition.direction != .unknown, !candidate.recognition.isMalformed,
      way == .sent || way == .received
    else { return }
    let isUp = candidate.recognition.direction == .toServer
    if (way == .sent) == isUp { votes.client += 1 } else { votes.server += 1 }
    if votes.client > votes.server { side = .client }
    if votes.server > votes.client { side = .server }
  }
}
