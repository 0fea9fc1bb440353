// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapSessions
import TapTraffic

/// Checks the frames of one connection against each other. It reports nothing that a gap or a
/// missing beginning could explain.
struct STOMPRules {
  /// The stage of the connection.
  enum Phase { case new, connecting, connected, disconnected }

  /// The open receipts, and the open CONNECT.
  private(set) var exchanges: ExchangeRules
  var subscriptions: STOMPSubscriptions
  var transactions: [UInt64: Transaction] = [:]
  /// The limit of open transactions was exceeded.
  var hasForgottenTransactions = false
  var begunTransactions = 0
  var beats = STOMPHeartBeats()
  var phase = Phase.new
  /// The client sent a frame.
  private var hasBegun = false
  /// The receipt that DISCONNECT requests.
  private var disconnectReceipt: WideKey?
  /// The receipt that the client's last frame requests.
  private var lastReceipt: WideKey?
  /// The last ERROR.
  var error: Origin?
  private var hasReportedOpenError = false
  /// The server is Spring's simple broker, which sends a receipt only for DISCONNECT.
  private(set) var isSimpleBroker = false
  private(set) var isRabbitMQ = false
  private var isConnectedSeen = false
  /// `accept-version` of the CONNECT.
  private var offered: [STOMPVersion]?
  /// The version in the WebSocket subprotocol.
  private let subprotocol: STOMPVersion?
  /// The connection is not encrypted.
  private let isInClear: Bool
  let limits: Limits

  struct Transaction {
    var name: String
    var sends = 0
    var acks = 0
    /// MESSAGEs that COMMIT acknowledges, but ABORT does not.
    var settles: [UInt64] = []
    /// How many transactions began before it.
    var number: Int
  }

  init(_ opening: Opening, _ subprotocol: STOMPVersion?, limits: Limits) {
    exchanges = ExchangeRules(Self.rules, knowsAll: opening.isFromStart, limits: limits)
    subscriptions = STOMPSubscriptions(limits: limits)
    (self.subprotocol, self.limits) = (subprotocol, limits)
    isInClear = opening.isInClear
  }

  private static let rules = [
    ExchangeRules.Rule(
      spaces: STOMPSession.Space.connect...STOMPSession.Space.connect, question: "CONNECT",
      unanswered: .stompConnectUnanswered, unknown: nil, repeated: .stompConnectTwice),
    ExchangeRules.Rule(
      spaces: STOMPSession.Space.receipt...STOMPSession.Space.receipt,
      question: "receipt request", unanswered: .stompReceiptUnanswered,
      unknown: .stompReceiptUnknown, repeated: .stompReceiptDuplicate, severity: .warning),
  ]

  /// CONNECTED, or ERROR in its place, is awaited.
  var isConnecting: Bool { phase == .connecting }

  /// Everything since the connection began was captured.
  var knowsAll: Bool { exchanges.knowsAll }

  /// The client has not begun, and nothing was missed: its first frame is not large.
  var isNew: Bool { phase == .new && knowsAll }

  /// A message could not be read: it may have been anything.
  mutating func miss() {
    beats.miss()
    // In a log that does not separate sessions, later frames may be of another one.
    if phase == .disconnected { phase = .new }
    misread()
  }

  /// Looks at a message before it is reported.
  mutating func adjustLinks(of message: inout Message) { exchanges.adjustLinks(of: &message) }

  /// Bytes came that are not a frame; they are still a sign of life.
  mutating func misread() {
    exchanges.miss()
    // It may have been CONNECTED.
    if phase == .connecting { phase = .new }
    error = nil
    subscriptions = STOMPSubscriptions(limits: limits)
    transactions = [:]
  }

  mutating func noteActivity(_ origin: Origin, _ listener: any Listener) {
    if origin.direction != .unknown { beats.noteActivity(origin, listener) }
  }

  mutating func look(heartBeat origin: Origin, _ listener: any Listener) {
    if origin.direction == .unknown { return }
    beats.beat(origin, knowsAll: knowsAll, listener)
  }

  /// - Parameter bytes: the frame's JSON.
  mutating func look(
    _ frame: STOMPFrame, _ bytes: RawSpan, _ message: Message, _ version: STOMPVersion,
    _ listener: any Listener
  ) {
    guard let command = frame.command else { return }
    let origin = message.origin
    let report = Report(origin, listener)
    // A log that omits headers may also omit frames.
    if frame.lacksHeaders && knowsAll { exchanges.miss() }
    if command == .connect || command == .stomp { judgeConnect(frame, bytes, report) }
    if command == .error { reportError(frame, bytes, report) }
    // Pasted frames may not belong together, and sides may be mixed up.
    if origin.direction == .unknown || origin.direction != command.direction { return }
    if command.direction == .toServer {
      judgePlace(command, report)
      lastReceipt = Self.receipt(of: message)
    } else if let error, version == .v12, command != .error, !hasReportedOpenError,
      origin.time.isKnown, origin.time.nanoseconds &- error.time.nanoseconds > 1_000_000_000
    {
      hasReportedOpenError = true
      report(.stompErrorNotClosed, .note, "the server goes on after an ERROR", isLast: true)
    }
    exchanges.look(message, isAnswerExpected: !isSimpleBroker || command == .disconnect, listener)
    switch command {
    case .connect, .stomp: phase = phase == .connected ? .connected : .connecting
    case .connected: judgeConnected(frame, bytes, report)
    case .subscribe: subscribe(frame, bytes, version, report)
    case .unsubscribe: unsubscribe(frame, bytes, report)
    case .message: deliver(frame, bytes, version, report)
    case .ack, .nack: settle(frame, bytes, version, report)
    case .begin, .commit, .abort: judge(transaction: frame, bytes, report)
    case .send: note(inTransaction: frame, bytes, isSend: true, report)
    case .disconnect:
      phase = .disconnected
      disconnectReceipt = Self.receipt(of: message)
    case .error:
      error = origin
      // RabbitMQ's ERROR does not name the frame it refers to.
      if let lastReceipt, frame.first(.receiptID) == nil { exchanges.excuse(lastReceipt) }
      if phase == .connecting { phase = .new }
    case .receipt: break
    }
  }

  /// The receipt that a frame of the client requests.
  private static func receipt(of message: Message) -> WideKey? {
    receipt(of: message.first) ?? receipt(of: message.second)
  }

  private static func receipt(of link: Link) -> WideKey? {
    guard link.role == .opens, link.space == STOMPSession.Space.receipt else { return nil }
    return WideKey(UInt64(link.space), link.key)
  }

  /// Reports findings about one frame.
  struct Report {
    let origin: Origin
    let listener: any Listener

    init(_ origin: Origin, _ listener: any Listener) {
      (self.origin, self.listener) = (origin, listener)
    }

    func callAsFunction(
      _ code: Finding.Code, _ severity: Finding.Severity, _ text: String, isLast: Bool = true,
      isSaid: Bool = false
    ) {
      var finding = Finding(code, severity, origin, text, isAboutLastMessage: isLast)
      finding.isSaidByMessage = isSaid
      listener.finding(finding)
    }
  }

  // MARK: - The connection

  private mutating func judgePlace(_ command: STOMPCommand, _ report: Report) {
    let isConnect = command == .connect || command == .stomp
    if phase == .disconnected {
      report(.stompAfterDisconnect, .error, "\(command.name) is sent after DISCONNECT")
    } else if !isConnect && phase == .new && !hasBegun && knowsAll {
      report(
        .stompBeforeConnect, .error,
        "\(command.name) is sent, but no CONNECT before it: servers ignore it, or close the"
          + " connection. Send CONNECT first, and wait for CONNECTED")
    }
    hasBegun = true
  }

  private mutating func judgeConnect(_ frame: STOMPFrame, _ bytes: RawSpan, _ report: Report) {
    if phase == .connected && report.origin.direction == .toServer {
      report(.stompConnectTwice, .error, "another CONNECT, though the session is open")
    }
    if frame.lacksHeaders { return beats.connect(nil) }
    offered = frame.first(.acceptVersion).map { STOMPSession.versions(bytes[$0.shown]) } ?? [.v10]
    if frame.first(.acceptVersion) == nil {
      report(
        .stompVersionMissing, .note,
        "accept-version is missing: the server takes it for STOMP 1.0, without NACK and escapes")
    } else if frame.first(.host) == nil && offered != [.v10] {
      report(.stompHostMissing, .note, "host is missing: the server takes its default virtual host")
    }
    if frame.first(.receipt) != nil {
      report(.stompReceiptOnConnect, .warning, "CONNECT asks for a receipt; CONNECTED answers it")
    }
    if isInClear && (frame.first(.passcode) ?? frame.first(.login)) != nil {
      var finding = Finding(
        .stompInClear, .warning, report.origin,
        "login and passcode are sent without encryption", isAboutLastMessage: true)
      finding.isSecurity = true
      report.listener.finding(finding)
    }
    beats.connect(heartBeat(frame, bytes, report))
  }

  private func heartBeat(
    _ frame: STOMPFrame, _ bytes: RawSpan, _ report: Report
  ) -> (sends: Int, wants: Int)? {
    guard let header = frame.first(.heartBeat) else { return nil }
    if let read = STOMPHeartBeats.read(bytes[header.shown]) { return read }
    report(
      .stompHeartBeatInvalid, .error,
      "heart-beat is \(STOMPMessageRules.text(bytes[header.shown])): two numbers of milliseconds, "
        + "with a comma between them, belong there")
    return nil
  }

  private mutating func judgeConnected(_ frame: STOMPFrame, _ bytes: RawSpan, _ report: Report) {
    (phase, isConnectedSeen) = (.connected, true)
    isRabbitMQ = frame.first(.server).map { bytes[$0.shown].starts(with: "RabbitMQ") } ?? false
    isSimpleBroker =
      frame.first(.server) == nil && frame.first(.session) == nil
      && frame.first(.heartBeat) != nil
    let version = frame.first(.version).map { STOMPVersion(bytes[$0.shown]) } ?? .v10
    let said = frame.first(.version).map { STOMPMessageRules.text(bytes[$0.shown]) } ?? "1.0"
    if let offered, !(version.map { offered.contains($0) } ?? false) {
      let names = offered.map { "\($0.name)" }.joined(separator: ", ")
      report(.stompVersionNotOffered, .error, "version is \(said), but the client offered \(names)")
    }
    if let subprotocol, subprotocol != version {
      report(
        .stompVersionUnlike, .warning,
        "version is \(said), though the subprotocol of the WebSocket says \(subprotocol.name):"
          + " CONNECTED counts")
    }
    beats.agree(heartBeat(frame, bytes, report))
    beats.noteActivity(report.origin, report.listener)
  }

  private mutating func reportError(_ frame: STOMPFrame, _ bytes: RawSpan, _ report: Report) {
    let words = frame.first(.message).map { ": \(STOMPMessageRules.text(bytes[$0.shown]))" } ?? ""
    if phase == .connecting && report.origin.direction == .toClient {
      report(.stompConnectRefused, .warning, "the server refuses the connection\(words)")
    } else {
      report(.stompErrorReply, .warning, "the server reports an error\(words)", isSaid: true)
    }
  }

  // MARK: - The end

  mutating func finish(
    _ ending: Ending, by: Direction, _ delivery: Delivery, _ listener: any Listener
  ) {
    let report = Report(delivery.origin, listener)
    if ending != .endOfEvidence { judgeEnd(by: by, report) }
    if knowsAll || isConnectedSeen { beats.finish(ending, by: by, delivery, listener) }
    exchanges.finish(ending, delivery, listener)
  }

  private mutating func judgeEnd(by: Direction, _ report: Report) {
    for one in subscriptions.open {
      if one.open > 0 {
        self.report(unacknowledged: one, "when the connection ended", isLast: false, report)
      }
    }
    for one in transactions.values.sorted(by: { $0.number < $1.number }) {
      report(
        .stompTransactionLeftOpen, .warning,
        "transaction \(one.name) had no COMMIT and no ABORT: \(Self.words(one)) undone",
        isLast: false)
    }
    if phase == .connected || phase == .disconnected {
      let left = subscriptions.open
      if !left.isEmpty && !subscriptions.hasForgottenSubscriptions {
        let names = left.prefix(3).map(\.label).joined(separator: ", ")
        let more = left.count > 3 ? " and \(left.count - 3) more" : ""
        report(
          .stompSubscriptionLeftOpen, .note, "no UNSUBSCRIBE was sent for \(names)\(more)",
          isLast: false)
      }
    }
    guard phase == .connected else {
      if phase == .disconnected { settleDisconnect(report) }
      return
    }
    if by == .toClient && error == nil && knowsAll {
      report(
        .stompClosedWithoutError, .warning,
        "the server ended the connection, and sent no ERROR that says why", isLast: false)
    } else if by == .toServer {
      report(
        .stompDisconnectMissing, .note, "the client ended the connection without DISCONNECT",
        isLast: false)
    }
  }

  static func words(_ one: Transaction) -> String {
    let sends = counted(one.sends, "SEND")
    let acks = counted(one.acks, "ACK")
    let isOne = one.sends + one.acks == 1
    if one.acks == 0 { return "\(sends) \(one.sends == 1 ? "was" : "were")" }
    if one.sends == 0 { return "\(acks) \(one.acks == 1 ? "was" : "were")" }
    return "\(sends) and \(acks) \(isOne ? "was" : "were")"
  }

  /// The connection ended instead of a RECEIPT, as with RabbitMQ over WebSocket.
  private mutating func settleDisconnect(_ report: Report) {
    guard let key = disconnectReceipt, exchanges.isAsked(key) else { return }
    exchanges.settle(key)
    report(
      .stompDisconnectUnconfirmed, .note,
      "the connection ended without the RECEIPT of DISCONNECT: nothing shows that all was taken",
      isLast: false)
  }

  mutating func suspect(_ finding: Finding, _ key: WideKey, _ listener: any Listener) {
    exchanges.suspect(finding, key, listener)
  }

  /// The message that a pending finding missed has come.
  mutating func explain(_ key: WideKey) { exchanges.explain(key) }
}
