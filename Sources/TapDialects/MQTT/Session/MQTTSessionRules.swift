// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Judges what the packets of one connection do together: the order of a session, packet
/// identifiers, what each side said that it takes, and how the connection ends.
///
/// What is in its tables was seen. What is not was never there only while `knowsAll`.
struct MQTTSessionRules {
  /// What one side said in CONNECT or CONNACK, and what it has sent.
  struct Side {
    /// Messages of QoS 1 and 2 that it takes at a time.
    var receiveMaximum = 65_535
    /// The greatest topic alias that it takes.
    var aliasMaximum: UInt16 = 0
    /// Bytes of the largest packet that it takes; 0 for no limit.
    var maximumPacketSize = 0
    /// Its messages of QoS 1 and 2 that are not answered.
    var inFlight = 0
    /// It has sent DISCONNECT.
    var hasLeft = false
    var hasToldAfterLeaving = false
    var hasToldInFlight = false
    /// It has sent something.
    var hasSpoken = false
  }

  /// A finding that would be false if the other side had sent a packet with this identifier, which
  /// may be told late.
  struct PendingFinding {
    var finding: Finding
    var id: UInt16
    /// Who would have sent it.
    var asker: Direction
  }

  /// An exchange that is open.
  struct Exchange: BitwiseCopyable {
    enum Step: UInt8, BitwiseCopyable {
      case puback, pubrec, pubrel, pubcomp, suback, unsuback
    }

    var step: Step
    var origin: Origin
    /// Filters of SUBSCRIBE or UNSUBSCRIBE.
    var filters: UInt16 = 0
  }

  /// A filter of the session.
  struct Subscription {
    var filter: [UInt8]
    var qos: UInt8
    /// Of the SUBSCRIBE that waits for its SUBACK; 0 when it was granted.
    var pending: UInt16
    var origin: Origin
  }

  var client = Side()
  var server = Side()
  /// Everything since the connection began was captured, and could be read.
  var knowsAll: Bool
  /// CONNECT and CONNACK, when they came.
  var connect: Origin?
  var connack: Origin?
  var isRefused = false
  /// CONNACK took up a session of before: its identifiers and filters are not known.
  var goesOn = false
  var level: UInt8 = 0
  /// Seconds; 0 for none.
  var keepAlive = 0
  /// When the client has sent something last.
  var lastSent = Origin()
  var hasToldKeepAlive = false
  /// Nanoseconds of the longest time in which the client sent nothing, how often that was too
  /// long, and the PINGREQs that it sent.
  var longestSilence: Int64 = 0
  var silences: UInt64 = 0
  var pings: UInt64 = 0
  /// The PINGREQ that has no answer.
  var ping: Origin?
  var isCleanStart = true
  var willTopic = ""
  var clientID: [UInt8] = []
  /// The authentication method that CONNECT names.
  var method: [UInt8] = []
  /// CONNECT names a method, and CONNACK has not come: the client sends nothing else.
  var isAuthenticating = false
  /// Properties of CONNACK that say that something is not available.
  var unavailable: UInt64 = 0
  var maximumQoS: UInt8 = 2
  var exchanges = IDTable<Exchange>(minimumCapacity: 1)
  var subscriptions: ContiguousArray<Subscription> = []
  var pendingFindings = ContiguousArray<PendingFinding>()
  /// There were more filters than are watched.
  var hasForgotten = false
  /// This client among others of its server.
  var presence: MQTTPresence?
  let broker: MQTTBroker
  let opening: Opening
  let limits: Limits

  init(_ opening: Opening, _ run: RunContext) {
    (self.opening, limits) = (opening, run.limits)
    knowsAll = opening.isFromStart && opening.client.isKnown
    broker = run.shared { MQTTBroker(limits: run.limits) }
  }

  /// Bytes of one direction were not captured, or could not be read.
  mutating func miss(_ direction: Direction) {
    knowsAll = false
    if direction == .toServer { lastSent = Origin() }
    pendingFindings.removeAll()
  }

  /// One side sends nothing more.
  mutating func half(_ delivery: Delivery, _ listener: any Listener) {
    if delivery.origin.direction == .toClient { judgeClosing(delivery, listener) }
  }

  /// Before a packet is told: the filters that an answer is about are its subject.
  func tellSubject(_ packet: MQTTPacket, _ direction: Direction, _ listener: any Listener) {
    guard packet.type == .suback, direction == .toClient, let id = packet.id,
      subscriptions.count > 1
    else { return }
    var text = Scratch()
    var count = 0
    for one in subscriptions where one.pending == id {
      if count > 0 { text.append(", ") }
      text.append(one.filter.span.bytes)
      count += 1
    }
    if count > 1 && text.count < 4096 { listener.subject(text.bytes) }
  }

  /// A packet that was told.
  @inline(__always)
  mutating func look(
    _ packet: MQTTPacket, _ filters: borrowing ContiguousArray<MQTTFilter>, _ bytes: RawSpan,
    topic: RawSpan, _ origin: Origin, _ listener: any Listener
  ) {
    if origin.direction == .unknown { return }
    let isUp = origin.direction == .toServer
    if !pendingFindings.isEmpty { reconsider(packet, origin, listener) }
    if isUp {
      if keepAlive > 0 { judgeKeepAlive(origin, listener) }
      lastSent = origin
    }
    judgeOrder(packet, isUp: isUp, origin, listener)
    let taking = isUp ? server.maximumPacketSize : client.maximumPacketSize
    if taking > 0 && packet.length > taking { tellTooLarge(packet, taking, origin, listener) }
    guard let type = packet.type else { return }
    switch type {
    case .publish:
      if packet.qos == 0 && packet.properties.sent == 0 && isUp && unavailable == 0 { return }
      judgePublish(packet, topic, isUp: isUp, origin, listener)
    case .puback, .pubrec, .pubrel, .pubcomp: judgeReply(type, packet, origin, listener)
    case .connect: look(connect: packet, bytes, origin, listener)
    case .connack: look(connack: packet, bytes, origin, listener)
    case .subscribe, .unsubscribe:
      look(subscribe: packet, type, filters, bytes, origin, listener)
    case .suback, .unsuback: look(suback: packet, type, bytes, origin, listener)
    case .pingreq:
      ping = ping ?? origin
      pings += 1
    case .pingresp: ping = nil
    case .disconnect: look(disconnect: packet, bytes, isUp: isUp, origin, listener)
    case .auth:
      judgeSender(packet, isUp: isUp, origin, listener)
      judgeMethod(packet, bytes, isUp: isUp, origin, listener)
    }
  }

  /// What comes now may explain what seemed wrong.
  private mutating func reconsider(
    _ packet: MQTTPacket, _ origin: Origin, _ listener: any Listener
  ) {
    for one in pendingFindings where one.asker == origin.direction {
      let opens =
        packet.type == .publish || packet.type == .subscribe
        || packet.type == .unsubscribe || packet.type == .pubrel
      if !(opens && packet.id == one.id) { listener.finding(one.finding) }
    }
    pendingFindings.removeAll { $0.asker == origin.direction }
  }

  /// A finding about the packet that was told last.
  func tell(
    _ code: Finding.Code, _ severity: Finding.Severity, _ origin: Origin, _ text: String,
    _ rule: MQTTRule = .none, _ listener: any Listener
  ) {
    listener.finding(
      Finding(
        code, severity, origin, text + rule.suffix(level: level), isAboutLastMessage: true))
  }

  /// `2.0 s`
  static func seconds(_ nanoseconds: Int64) -> String {
    let tenths = (nanoseconds + 50_000_000) / 100_000_000
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
