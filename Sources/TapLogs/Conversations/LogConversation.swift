// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// What is known of one conversation of a log.
struct LogConversation {
  let flow: UInt32
  /// Where its last message is.
  var last: Origin
  /// Nothing of it comes any more.
  var isClosed = false
  /// Lines with another name, or with none, belong to it as well.
  var isShared = false
  /// Bytes of its stream.
  private var octets: (toServer: UInt64, toClient: UInt64) = (0, 0)
  var writer: LogConversationWriter
  var session = LogSession()
  var exchanges = LogExchanges()
  var doubts = LogDoubts()
  var ends = LogBothEnds()

  init(flow: UInt32, _ writer: LogConversationWriter, at origin: Origin) {
    (self.flow, self.writer, last) = (flow, writer, origin)
    last.flow = flow
  }

  /// Whether a session that is welcomed now is another than this one: this one was welcomed itself,
  /// or has requests that wait for answers, and no HELLO before them.
  var isTaken: Bool {
    session.isWelcomed || session.phase != .open && exchanges.areWaiting
  }

  /// Whether all its messages went the other way.
  func lacks(_ direction: LogDirection) -> Bool {
    !session.isOver && !doubts.isMixed && writer.lacks(direction)
  }

  /// Whether it waits for this message.
  func awaits(_ entry: LogEntry) -> Bool {
    entry.recognition.session != 0 && session.isUnanswered || exchanges.awaits(entry)
  }

  /// Counts bytes of its stream; returns the place of the first one.
  mutating func addOctets(_ count: UInt64, _ direction: Direction) -> UInt64 {
    if direction == .toServer {
      octets.toServer += count
      return octets.toServer - count
    }
    octets.toClient += count
    return octets.toClient - count
  }

  /// Takes the next message: how far the session is with it, and, in its origin, which way it went.
  mutating func advance(
    with entry: LogEntry, _ origin: inout Origin, _ sink: any EvidenceSink
  ) {
    let (recognition, said) = (entry.recognition, entry.match.direction)
    if said == .unsaid {
      // As long as the sender is not known, nothing may be reported as missing.
      if !doubts.isMixed { sink.gap(nil, Delivery(origin)) }
      doubts.isMixed = true
      if recognition.direction == .toClient { session.isAnswered = true }
      return
    }
    writer.learn(recognition, said)
    origin.direction =
      ends.areBoth ? recognition.direction : writer.direction(of: entry, at: origin, sink)
    if origin.direction == .unknown && !doubts.isMixed {
      sink.gap(nil, Delivery(origin))
      doubts.isMixed = true
    }
    if exchanges.skips(recognition) { sink.gap(nil, Delivery(origin)) }
    if recognition.opensSession {
      // A second session begins in this conversation while one is open: neither is complete.
      if session.phase == .open { sink.gap(nil, Delivery(origin)) }
      session.begin()
    } else if recognition.begins {
      session.beginAmongOthers()
    } else if session.isUnanswered && origin.direction == .toServer && !doubts.isMixed {
      // The client goes on without an answer, so answers are not logged.
      sink.gap(nil, Delivery(origin))
      doubts.isMixed = true
    } else if recognition.ends {
      session.end()
    }
    if origin.direction == .toClient { session.isAnswered = true }
  }

  /// Remembers what a message asks, and forgets what it answers.
  mutating func note(_ entry: LogEntry) {
    writer.note(entry.match.direction)
    session.note(entry.recognition, entry.match.direction)
    exchanges.note(entry)
  }
}

/// What is uncertain about a conversation.
struct LogDoubts {
  /// Findings that are reported only once.
  struct Reported: OptionSet {
    let rawValue: UInt8
    /// Messages of others may stand in it.
    static let mixing = Reported(rawValue: 1)
    /// The number of a request is used again.
    static let reuse = Reported(rawValue: 2)
  }

  /// Some of its messages do not say who sent them, answers to them are not logged, or some may be
  /// of another session.
  var isMixed = false
  /// It has messages of several sessions: any number may be missing before each of them.
  var hasSeveralSessions = false
  /// It began while another had not ended, or another began then.
  var mayOverlap = false
  /// What it has of its beginning, before it has an id, may be of another session.
  var mayBeOfOthers = false
  var reported: Reported = []

  /// Messages of others may stand in it.
  var mayHaveOthers: Bool { hasSeveralSessions || mayOverlap || reported.contains(.mixing) }
}
