// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// Which side, client or server, writes the log of a conversation, as far as its messages show.
struct LogConversationWriter {
  private(set) var side: LogFormat.Side
  /// A finding was reported that its lines contradict each other on who sends.
  private var isContradicted = false
  /// How many messages speak for each side. What the format says counts as two.
  private var votes = (client: 0, server: 0)
  /// Its writer has sent something, and received something.
  private var (hasSent, hasReceived) = (false, false)
  /// Messages were shown as sent and received by the client before anything showed the side.
  private var isAssumed = false

  /// - Parameter isSure: no message can say otherwise.
  init(_ side: LogFormat.Side = .unknown, isSure: Bool = false) {
    self.side = side
    let weight = isSure ? Int.max / 2 : 2
    switch side {
    case .client: votes.client = weight
    case .server: votes.server = weight
    case .unknown: break
    }
  }

  /// Whether it was taken for the client, and nothing has shown that it is.
  var isTakenForClient: Bool { isAssumed && side != .client }

  /// Whether all messages went the other way.
  func lacks(_ direction: LogDirection) -> Bool {
    switch direction {
    case .sent: return hasReceived && !hasSent
    case .received: return hasSent && !hasReceived
    case .toServer: return lacks(side == .server ? .received : .sent)
    case .toClient: return lacks(side == .server ? .sent : .received)
    case .unsaid: return false
    }
  }

  mutating func note(_ direction: LogDirection) {
    if direction == .sent { hasSent = true }
    if direction == .received { hasReceived = true }
  }

  /// Other lines say which side it is, where its messages have not shown it.
  mutating func learn(_ side: LogFormat.Side) {
    if self.side == .unknown && side != .unknown { self = LogConversationWriter(side, from: self) }
  }

  private init(_ side: LogFormat.Side, from former: LogConversationWriter) {
    self.init(side)
    (hasSent, hasReceived) = (former.hasSent, former.hasReceived)
    isAssumed = former.isAssumed
  }

  /// Learns the side from a message whose type goes one way only. Votes decide, as a single line
  /// may be wrong about who sends.
  mutating func learn(_ recognition: Recognition, _ direction: LogDirection) {
    guard recognition.direction != .unknown, !recognition.isMalformed,
      direction == .sent || direction == .received
    else { return }
    let isUp = recognition.direction == .toServer
    if (direction == .sent) == isUp { votes.client += 1 } else { votes.server += 1 }
    if votes.client > votes.server { side = .client }
    if votes.server > votes.client { side = .server }
  }

  /// The direction of a message. If only one side sends its type, that outweighs the words of the
  /// line, which may mean anything.
  mutating func direction(
    of entry: LogEntry, at origin: Origin, _ sink: any EvidenceSink
  ) -> Direction {
    let (recognition, match) = (entry.recognition, entry.match)
    let said = match.format.direction(match.direction, side)
    let certain = recognition.direction
    let isRelative = match.direction == .sent || match.direction == .received
    if side == .unknown && isRelative && certain == .unknown && said != .unknown
      && !recognition.ends
    {
      isAssumed = true
    }
    // Words that name the sides may speak of a connection; marks of programs do not.
    guard isRelative || match.ruleIndex == nil, !recognition.isMalformed else { return said }
    // Either side ends a session, and nothing has shown yet which of them writes.
    if recognition.ends && side == .unknown && isRelative { return .unknown }
    if certain == .unknown && isContradicted && !isRelative { return said.reversed }
    if certain == .unknown || certain == said { return said }
    if recognition.isUsualDirection && said != .unknown { return said }
    if said != .unknown && !isContradicted {
      isContradicted = true
      sink.finding(
        .logDirection, .warning, origin,
        "lines of this conversation contradict each other on who sends: where only one side sends"
          + " such messages, that is believed")
    }
    return certain
  }
}
