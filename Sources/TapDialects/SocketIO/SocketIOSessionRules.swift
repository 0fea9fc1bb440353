// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapSessions
import TapTraffic

/// The namespaces and open acks of one session. It reports something as missing only while
/// everything was captured.
struct SocketIOSessionRules {
  /// The state of one namespace.
  struct Namespace: BitwiseCopyable {
    /// The client asked to join it, and was not refused.
    var isAsked = false
    /// Its CONNECT was seen; it may have come after the answer, where packets were lost.
    var hasConnect = false
    /// The server has accepted a CONNECT that was seen.
    var isJoined = false
    /// Its answer had a `pid`, so that events end with an offset (connection state recovery).
    var hasOffsets = false
    /// The fingerprint of the private id with which the client reconnected; 0 for none.
    var pid: UInt64 = 0
    /// Of the acks that each side asks for.
    var asks = (ofServer: Life(), ofClient: Life())
  }

  /// Of the events of one side in a namespace: ack ids of one life have no meaning in the next.
  struct Life: BitwiseCopyable {
    /// The namespace was left: the next CONNECT begins it anew. The events of the server, with that
    /// of the client, as it may send some before it answers (python-socketio, from its connect
    /// handler); those of the client, with the answer.
    var isOver = false
    /// How often it was begun anew.
    private(set) var number: UInt32 = 0

    mutating func begin() {
      if isOver { (isOver, number) = (false, number &+ 1) }
    }
  }

  /// The link space of CONNECT; those of EVENTs with an ack id are `AskedSide.both`, as both sides
  /// count their own ids.
  static let connectSpace: UInt8 = 3

  private static let rules = [
    ExchangeRules.Rule(
      spaces: AskedSide.both, question: "EVENT", unanswered: .sioAckUnanswered,
      unknown: .sioAckUnknown, repeated: .sioAckIDReused, severity: .warning),
    ExchangeRules.Rule(
      spaces: connectSpace...connectSpace, question: "CONNECT", unanswered: .sioConnectUnanswered,
      unknown: nil, repeated: .sioConnectTwice),
  ]

  /// The key of an ack id, which is counted per namespace.
  ///
  /// - Parameters:
  ///   - namespace: the fingerprint of its name.
  ///   - direction: of the event that asks for it.
  func ackKey(_ namespace: UInt64, _ id: UInt64, askedTo direction: Direction) -> UInt64 {
    let asks = self[namespace].asks
    let life = direction == .toClient ? asks.ofServer : asks.ofClient
    return Self.ackKey(namespace &+ UInt64(life.number), id)
  }

  static func ackKey(_ namespace: UInt64, _ id: UInt64) -> UInt64 {
    namespace ^ id &* 0x9E37_79B9_7F4A_7C15
  }

  var exchanges: ExchangeRules
  private var namespaces = IDTable<Namespace>(minimumCapacity: 1)
  private let most: Int
  /// The client has asked to join a namespace.
  private(set) var hasAsked = false
  /// The limit of namespaces was reached.
  private var isFull = false

  init(knowsAll: Bool, isSpanning: Bool, limits: Limits) {
    exchanges = ExchangeRules(
      Self.rules, knowsAll: knowsAll, isSpanning: isSpanning, limits: limits)
    most = limits.socketNamespaces
  }

  /// Everything since the beginning of the session was captured and readable.
  var knowsAll: Bool { exchanges.knowsAll }

  /// Whether all namespaces of the session are known.
  var knowsNamespaces: Bool { knowsAll && !isFull }

  subscript(namespace: UInt64) -> Namespace {
    get { namespaces[WideKey(0, namespace)] ?? Namespace() }
    set {
      if newValue.isAsked { hasAsked = true }
      let key = WideKey(0, namespace)
      if namespaces.slot(of: key) == nil && namespaces.count >= most {
        isFull = true
        return
      }
      namespaces[key] = newValue
    }
  }

  /// A namespace was left, or refused. Packets of both sides may still be on their way, so its acks
  /// stay open until it is joined again.
  mutating func leave(_ namespace: UInt64) {
    var left = Namespace()
    (left.isAsked, left.asks) = (true, self[namespace].asks)
    (left.asks.ofServer.isOver, left.asks.ofClient.isOver) = (true, true)
    self[namespace] = left
  }

  mutating func look(_ message: Message, _ listener: any Listener) {
    exchanges.look(message, listener)
  }

  mutating func miss(_ direction: Direction = .unknown) { exchanges.miss(direction) }

  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    exchanges.finish(ending, delivery, listener)
  }
}
