// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// What all judges of a run know: the connections, and the texts of subjects.
final class CheckContext {
  /// What is known of a connection.
  struct Connection {
    /// It was logged, not captured: its end is the end of the log.
    var isLog = false
    /// Bytes of it were not captured.
    var isLossy = false
    /// Number of the client's address among the texts.
    var client: Int32 = 0
    /// How many sessions have told something.
    var sessions: UInt16 = 0
    /// When something came last.
    var toServer = Instant.unknown
    var toClient = Instant.unknown
  }

  let limits: Limits
  /// Subjects, and addresses of clients.
  private(set) var texts: Interner
  /// By number; 0 is that of pasted messages.
  private(set) var connections: ContiguousArray<Connection> = [Connection(isLog: true)]
  /// When the first message was captured.
  private(set) var start = Instant.unknown
  private(set) var end = Instant.unknown
  private(set) var messages: UInt64 = 0
  private(set) var requests = OpenRequests()
  /// The request that the last message answered for good.
  private(set) var answered: MessageReference?
  /// The last message was the first of its session.
  private(set) var isSessionNew = false
  /// Answers whose requests were not seen, the first ones: where directions were captured apart,
  /// a request may come after its answer.
  private(set) var strays: Set<OpenRequests.LinkID> = []
  private static let mostStrays = 4096

  init(_ limits: Limits) {
    self.limits = limits
    texts = Interner(maximumBytes: limits.subjectBytes)
  }

  func opened(_ opening: Opening, connection: UInt32) {
    while connections.count <= Int(connection) { connections.append(Connection()) }
    var client = TextBuffer(capacity: 64)
    if opening.client.isKnown {
      Endpoint(address: opening.client.address, port: 0).append(to: &client)
      // `:0` is no port that anybody has.
      client.truncate(client.count - 2)
    }
    connections[Int(connection)] = Connection(
      isLog: !opening.provenance.writer.isEmpty, client: texts.number(of: client.bytes))
  }

  subscript(connection: UInt32) -> Connection {
    Int(connection) < connections.count ? connections[Int(connection)] : Connection()
  }

  /// Bytes of the connection are missing.
  func lost(_ connection: UInt32) {
    if Int(connection) < connections.count { connections[Int(connection)].isLossy = true }
  }

  /// Hears of each message before it is judged.
  func hear(_ message: Message, _ joined: Joined, subject: RawSpan) {
    messages &+= 1
    answered = nil
    isSessionNew = false
    if message.first.role == .answers || message.second.role == .answers
      || message.third.role == .answers
    {
      answer(message, joined)
    }
    if message.first.role == .opens && requests.count < limits.openExchanges {
      requests.insert(
        OpenRequests.Request(
          reference(message, joined, subject: subject),
          OpenRequests.LinkID(message, joined, message.first)))
    }
    let time = message.origin.time
    guard time.isKnown else { return }
    if !start.isKnown { start = time }
    if !end.isKnown || end < time { end = time }
    guard Int(joined.connection) < connections.count else { return }
    if !message.traits.contains(.isControl)
      && connections[Int(joined.connection)].sessions <= message.session
    {
      connections[Int(joined.connection)].sessions = message.session &+ 1
      isSessionNew = true
    }
    if message.origin.direction != .toServer {
      connections[Int(joined.connection)].toClient = time
    }
    if message.origin.direction != .toClient {
      connections[Int(joined.connection)].toServer = time
    }
  }

  private func answer(_ message: Message, _ joined: Joined) {
    if joined.answers > 0 {
      answered = requests.remove(joined.answers)
    } else if joined.connection > 0 && strays.count < Self.mostStrays {
      for number in 0..<3 where message.link(number).role == .answers {
        strays.insert(OpenRequests.LinkID(message, joined, message.link(number)))
      }
    }
  }

  /// Nothing more comes of the connection.
  func closed(_ connection: UInt32) { requests.removeAll(of: connection) }

  /// When something came last in a direction.
  func last(_ connection: UInt32, _ direction: Direction) -> Instant {
    let known = self[connection]
    return direction == .toServer ? known.toServer : known.toClient
  }

  /// The request of this index, where the message told last answers it or it is still open.
  func request(_ index: UInt64) -> MessageReference? {
    answered?.index == index ? answered : requests[index]
  }

  func number(of text: RawSpan) -> Int32 { texts.number(of: text) }

  func text(_ number: Int32) -> String {
    String(decoding: texts.copied(number), as: Unicode.UTF8.self)
  }

  func reference(_ heard: borrowing Judge.Heard) -> MessageReference {
    reference(heard.message, heard.joined, subject: heard.subject)
  }

  func reference(
    _ message: Message, _ joined: Joined, subject: RawSpan
  ) -> MessageReference {
    MessageReference(
      index: joined.index, connection: joined.connection, time: message.origin.time,
      input: message.origin.input, record: message.origin.record,
      isLine: self[joined.connection].isLog, direction: message.origin.direction,
      name: message.name, subject: texts.number(of: subject),
      answers: joined.answers)
  }
}
