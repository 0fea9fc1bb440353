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
  var octets: (toServer: UInt64, toClient: UInt64) = (0, 0)
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

  /// Remembers what a message asks, and forgets what it answers.
  mutating func note(_ recognition: Recognition, _ direction: LogDirection) {
    writer.note(direction)
    session.note(recognition, direction)
    exchanges.note(recognition)
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
  /// What it has of its beginning, before it has an id, may be of another session.
  var mayBeOfOthers = false
  var reported: Reported = []
}
