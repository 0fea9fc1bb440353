// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapFilter
import TapTraffic

/// The data that all judges of a run share: connections, and the texts of subjects.
final class CheckContext {
  /// The state of a connection.
  struct Connection {
    /// It is from a log, so it ends with the log.
    var isLog = false
    /// Bytes or messages of it were not captured.
    var isLossy = false
    /// The last message in each direction that may be any answer, as pieces of it are missing.
    var unreadToServer: UInt64 = 0
    var unreadToClient: UInt64 = 0
    var hasUnread: Bool { unreadToServer > 0 || unreadToClient > 0 }
    /// The number of the client's address in `texts`.
    var client: Int32 = 0
    /// The number of sessions seen.
    var sessions: UInt16 = 0
    /// When the last message came in each direction.
    var toServer = Instant.unknown
    var toClient = Instant.unknown
  }

  let limits: Limits
  /// Subjects, and addresses of clients.
  private(set) var texts: Interner
  /// By number; 0 is for pasted messages.
  private(set) var connections: ContiguousArray<Connection> = [Connection(isLog: true)]
  /// When the first message was captured.
  private(set) var start = Instant.unknown
  private(set) var end = Instant.unknown
  private(set) var messages: UInt64 = 0
  private(set) var requests = OpenRequests()
  /// The request to which the last message is the final answer.
  private(set) var answered: MessageReference?
  /// The last message was the first of its session.
  private(set) var isSessionNew = false
  /// The first answers whose requests were not seen: if directions were captured separately, a
  /// request may come after its answer.
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
      // Remove the port `:0`.
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

  /// Takes note of each message before it is judged.
  func hear(_ message: Message, _ view: MessageView) {
    messages &+= 1
    answered = nil
    isSessionNew = false
    if message.has(.answers) {
      answer(message, view)
    } else if view.joined.ends > 0 {
      answered = requests.remove(view.joined.ends)
    }
    if message.first.role == .opens && requests.count < limits.openExchanges {
      requests.insert(
        OpenRequests.Request(
          reference(message, view),
          OpenRequests.LinkID(message, view, message.first)))
    }
    let isConnected = Int(view.joined.connection) < connections.count
    if isConnected && message.mayAnswerAny {
      let index = view.joined.index
      if message.origin.direction != .toClient {
        connections[Int(view.joined.connection)].unreadToServer = index
      }
      if message.origin.direction != .toServer {
        connections[Int(view.joined.connection)].unreadToClient = index
      }
    }
    if isConnected && !message.traits.contains(.isControl)
      && connections[Int(view.joined.connection)].sessions <= message.session
    {
      connections[Int(view.joined.connection)].sessions = message.session &+ 1
      isSessionNew = true
    }
    let time = message.origin.time
    guard time.isKnown else { return }
    if !start.isKnown { start = time }
    if !end.isKnown || end < time { end = time }
    guard isConnected else { return }
    if message.origin.direction != .toServer {
      connections[Int(view.joined.connection)].toClient = time
    }
    if message.origin.direction != .toClient {
      connections[Int(view.joined.connection)].toServer = time
    }
  }

  private func answer(_ message: Message, _ view: MessageView) {
    if view.joined.answers > 0 {
      answered = requests.remove(view.joined.answers)
    } else if view.joined.connection > 0 && strays.count < Self.mostStrays {
      for number in 0..<3 where message.link(number).role == .answers {
        strays.insert(OpenRequests.LinkID(message, view, message.link(number)))
      }
    }
  }

  /// The connection has ended.
  func closed(_ connection: UInt32) { requests.removeAll(of: connection) }

  /// Whether a later message of the other side may be the answer, as pieces of it are missing.
  func mayBeAnswered(_ request: MessageReference) -> Bool {
    let known = self[request.connection]
    let answer =
      switch request.direction {
      case .toServer: known.unreadToClient
      case .toClient: known.unreadToServer
      default: max(known.unreadToClient, known.unreadToServer)
      }
    return answer > request.index
  }

  /// When the last message came in a direction.
  func last(_ connection: UInt32, _ direction: Direction) -> Instant {
    let known = self[connection]
    return direction == .toServer ? known.toServer : known.toClient
  }

  /// The request with this index, if the last message answers it or it is still open.
  func request(_ index: UInt64) -> MessageReference? {
    answered?.index == index ? answered : requests[index]
  }

  func number(of text: RawSpan) -> Int32 { texts.number(of: text) }

  func text(_ number: Int32) -> String {
    String(decoding: texts.copied(number), as: Unicode.UTF8.self)
  }

  func reference(_ message: Message, _ view: MessageView) -> MessageReference {
    MessageReference(
      index: view.joined.index, connection: view.joined.connection,
      time: message.origin.time, input: message.origin.input,
      record: message.origin.record,
      isLine: message.origin.isLine, direction: message.origin.direction,
      name: message.name, subject: texts.number(of: view.subject),
      answers: view.joined.answers)
  }
}
