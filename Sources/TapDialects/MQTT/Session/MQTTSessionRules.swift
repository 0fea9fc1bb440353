// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Checks the packets of one connection against each other: the order of a session, and the limits
/// of each side. Keep alive, packet identifiers and authentication have rules of their own.
///
/// An entry in the tables was captured. A missing entry proves that something was not sent only
/// while `context.knowsAll`.
struct MQTTSessionRules {
  /// The limits that one side gave in CONNECT or CONNACK, and its state.
  struct Side {
    /// How many messages of QoS 1 and 2 it accepts at a time.
    var receiveMaximum = 65_535
    /// The largest topic alias that it accepts.
    var aliasMaximum: UInt16 = 0
    /// The largest packet that it accepts, in bytes; 0 for no limit.
    var maximumPacketSize = 0
    /// It has sent something.
    var hasSpoken = false
    /// It has sent DISCONNECT.
    var hasLeft = false
    var hasReportedAfterLeaving = false
    /// It has closed its direction.
    var hasClosed = false

    mutating func learn(_ properties: MQTTProperties) {
      if properties.has(.receiveMaximum) { receiveMaximum = Int(properties.receiveMaximum) }
      aliasMaximum = properties.aliasMaximum
      maximumPacketSize = Int(properties.maximumPacketSize)
    }
  }

  var client = Side()
  var server = Side()
  var context: MQTTSessionContext
  var keepAlive = MQTTKeepAliveRules()
  var authentication = MQTTAuthenticationRules()
  var exchanges: MQTTExchangeRules
  var subscriptions: MQTTSubscriptions
  var availability = MQTTAvailability()
  /// CONNECT has the flag Clean Start, or Clean Session.
  var startsAnew = false
  /// CONNECT starts a session that ends with the connection.
  var isCleanStart = true
  /// What is due when the connection ends without DISCONNECT, until that is reported; empty for
  /// none.
  var will = ""
  /// In seconds.
  var willDelay: UInt32 = 0
  /// How many seconds the session outlives its connection: as the client asks, and as the server
  /// grants.
  var (askedExpiry, sessionExpiry): (UInt32, UInt32) = (0, 0)
  var clientID: [UInt8] = []
  /// This connection among all clients of the server.
  var presence: MQTTPresence?
  let broker: MQTTBroker
  let opening: Opening

  init(_ opening: Opening, _ run: RunContext) {
    self.opening = opening
    context = MQTTSessionContext(knowsAll: opening.isFromStart && opening.client.isKnown)
    exchanges = MQTTExchangeRules(limits: run.limits)
    subscriptions = MQTTSubscriptions(limits: run.limits)
    broker = run.shared { MQTTBroker(limits: run.limits) }
  }

  /// Bytes of one direction were not captured, or could not be read.
  mutating func miss(_ direction: Direction) {
    context.knowsAll = false
    if direction == .toServer { keepAlive.miss() }
    exchanges.miss(direction)
  }

  /// One side has closed its direction.
  mutating func half(_ delivery: Delivery, _ listener: any Listener) {
    if delivery.origin.direction != .toClient {
      presence?.close()
      client.hasClosed = true
    }
    if client.hasClosed || client.hasLeft { return }
    if keepAlive.close(delivery.origin, will: willIsDue, context, listener) { will = "" }
  }

  /// Called before a packet is reported: the filters that a SUBACK answers are its subject.
  func reportSubject(_ packet: MQTTPacket, _ direction: Direction, _ listener: any Listener) {
    guard packet.type == .suback, direction == .toClient, let id = packet.id else { return }
    subscriptions.reportSubject(id, listener)
  }

  /// Called before a packet is reported: an identifier may be that of an exchange of before, and
  /// behind a loss, what it means may have changed.
  func adjustLinks(of message: inout Message, _ packet: MQTTPacket) {
    if exchanges.answersRepeat(packet, message.origin.direction) { message.first.role = .shows }
    if context.knowsAll { return }
    // An identifier is free when it is used, so an exchange that is open under it is over.
    if packet.type == .publish && !packet.isDuplicate { message.traits.insert(.beginsAnew) }
    if exchanges.isDoubtful(packet, message.origin.direction) { message.first.role = .shows }
  }

  /// Checks a packet that was reported.
  ///
  /// - Parameter matched: of a message, the best QoS granted to the filters of the session that it
  ///   matches; nil when none does.
  @inline(__always)
  mutating func look(
    _ packet: MQTTPacket, _ filters: borrowing ContiguousArray<MQTTFilter>, _ bytes: RawSpan,
    topic: RawSpan, matched: UInt8?, _ origin: Origin, _ listener: any Listener
  ) {
    if origin.direction == .unknown { return }
    exchanges.reconsider(packet, origin, listener)
    if origin.isFromClient { keepAlive.send(origin, context, listener) }
    judgeOrder(packet, origin, listener)
    let taken = origin.isFromClient ? server.maximumPacketSize : client.maximumPacketSize
    if taken > 0 && packet.length > taken { reportTooLarge(packet, taken, origin, listener) }
    guard let type = packet.type else { return }
    switch type {
    case .publish:
      let isPlain = packet.qos == 0 && packet.properties.sent == 0
      if isPlain && origin.isFromClient && availability.isComplete { return }
      look(publish: packet, topic, matched: matched, origin, listener)
    case .puback, .pubrec, .pubrel, .pubcomp:
      exchanges.answer(type, packet, origin, context, listener)
    case .connect: look(connect: packet, bytes, origin, listener)
    case .connack: look(connack: packet, bytes, origin, listener)
    case .subscribe, .unsubscribe:
      look(subscribe: packet, type, filters, bytes, origin, listener)
    case .suback, .unsuback:
      switch (exchanges.answer(type, toFilters: packet, origin, context, listener), type) {
      case (.answers, .suback): subscriptions.grant(packet, bytes, origin, context, listener)
      case (.answers, _): subscriptions.end(packet, at: origin.time)
      case (.isUnknown, .suback): subscriptions.grantUnseen()
      case (.isUnknown, _), (.answersAgain, _): break
      }
    case .pingreq: keepAlive.ask(origin)
    case .pingresp: keepAlive.answer()
    case .disconnect: look(disconnect: packet, bytes, origin, listener)
    case .auth:
      judgeSender(packet, origin, listener)
      authentication.judge(methodOf: packet, bytes, origin, context, listener)
    }
  }
}
