// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The subscriptions of one connection, and its messages that wait for ACK.
struct STOMPSubscriptions {
  /// The ack mode (STOMP 1.2, "SUBSCRIBE ack Header").
  enum Mode: UInt8 {
    case auto, client, individual

    var name: StaticString {
      switch self {
      case .auto: "auto"
      case .client: "client"
      case .individual: "client-individual"
      }
    }
  }

  struct Subscription {
    var id: String
    var destination: String
    /// The fingerprint of its destination.
    var place: UInt64
    var mode: Mode
    /// The value of `prefetch-count`; 0 when missing.
    var prefetch = 0
    /// How many subscriptions began before it.
    var number = 0
    /// When it was unsubscribed.
    var closed: Instant?
    /// The number of delivered MESSAGEs.
    var delivered = 0
    /// The number of acknowledged MESSAGEs.
    var settled = 0
    /// In mode `client`: an ACK covers all MESSAGEs up to this number.
    var settledTo = 0

    /// The number of MESSAGEs that wait for ACK.
    var open: Int { mode == .auto ? 0 : delivered - settled }
    var label: String {
      if id.isEmpty { return destination }
      return destination.isEmpty ? id : "\(id) (\(destination))"
    }
  }

  /// A MESSAGE that may still be acknowledged.
  struct Delivery: BitwiseCopyable {
    var subscription: UInt64
    /// Its number within its subscription, from 1.
    var number: Int
    /// Its number within all subscriptions.
    var order: Int
    var isSettled = false
  }

  /// A MESSAGE that an ACK of a later MESSAGE acknowledges too, in any subscription (RabbitMQ).
  private struct Reachable: BitwiseCopyable {
    var subscription: UInt64
    var number: Int
    var order: Int
  }

  enum Settlement {
    case done
    case twice
    case auto(String)
    case unknown
  }

  /// The part of a subscription that each MESSAGE needs, as reading `all` would copy names.
  struct State: BitwiseCopyable {
    /// Its ack mode.
    var mode: Mode
    /// When it was unsubscribed.
    var closed: Instant?
  }

  /// By the fingerprint of the id.
  private(set) var all: [UInt64: Subscription] = [:]
  private var states = IDTable<State>(minimumCapacity: 1)
  private var deliveries = IDTable<Delivery>(minimumCapacity: 1)
  /// Those whose SUBSCRIBE has no id, which STOMP 1.0 allows; their key is their destination's.
  private var unnamed: [(key: UInt64, filter: TopicFilter)] = []
  /// Some were forgotten: an unknown id may be one of them.
  private(set) var hasForgottenSubscriptions = false
  private(set) var hasForgottenDeliveries = false
  private var begun = 0
  private var delivered = 0
  /// In the order of delivery; the first `reached` are done.
  private var reachable: ContiguousArray<Reachable> = []
  private var reached = 0
  /// The limits of subscriptions and deliveries.
  private let (most, mostDeliveries): (Int, Int)

  init(limits: Limits) {
    (most, mostDeliveries) = (limits.stompSubscriptions, limits.stompDeliveries)
  }

  /// Whether MESSAGEs of a subscription wait for ACK; false when it is not known.
  func wantsACK(_ subscription: UInt64) -> Bool {
    state(of: subscription).map { $0.mode != .auto } ?? false
  }

  /// The key of the subscription that a MESSAGE belongs to. Of one without an id, some servers of
  /// STOMP 1.0 name none (ActiveMQ), others one of their own (CoilMQ), and the destination may
  /// match a pattern of it.
  func key(of frame: STOMPFrame, _ bytes: RawSpan) -> UInt64? {
    let destination = frame.first(.destination)
    guard let named = frame.first(.subscription) ?? destination else { return nil }
    let key = bytes[named.shown].fingerprint
    if unnamed.isEmpty || states[WideKey(0, key)] != nil { return key }
    guard let destination else { return key }
    var ended: UInt64?
    for one in unnamed where one.filter.matches(bytes[destination.shown]) {
      if states[WideKey(0, one.key)]?.closed == nil { return one.key }
      ended = ended ?? one.key
    }
    return ended ?? key
  }

  /// The key of a delivery: in STOMP 1.2 its `ack` header; before, its `message-id`, which two
  /// subscriptions may share.
  static func key(
    ofDelivered frame: STOMPFrame, by subscription: UInt64, _ bytes: RawSpan,
    _ version: STOMPVersion
  ) -> UInt64? {
    if version == .v12, let ack = frame.first(.ack) { return bytes[ack.shown].fingerprint }
    return frame.first(.messageID).map { bytes[$0.shown].fingerprint(behind: subscription) }
  }

  /// The key of the delivery that an ACK or a NACK names. Where it does not say of which
  /// subscription, the first delivery that waits is meant. STOMP 1.1 has it say so; in other
  /// versions, clients that send the headers of the MESSAGE back do (stomp-php).
  func key(
    ofAcknowledged frame: STOMPFrame, _ bytes: RawSpan, _ version: STOMPVersion
  ) -> UInt64? {
    let (id, messageID) = (frame.first(.id), frame.first(.messageID))
    guard let named = version == .v12 ? id ?? messageID : messageID ?? id else { return nil }
    let message = bytes[named.shown]
    let key = message.fingerprint
    if version == .v11, let subscription = frame.first(.subscription) {
      let subscription = bytes[subscription.shown].fingerprint
      if states[WideKey(0, subscription)] != nil || unnamed.isEmpty {
        return message.fingerprint(behind: subscription)
      }
      // The server's own name for one without an id (RabbitMQ).
      return first(message, of: unnamed.lazy.map(\.key)) ?? key
    }
    // In STOMP 1.2, a MESSAGE without an `ack` header is acknowledged by its `message-id`.
    if version == .v12 && deliveries[WideKey(0, key)] != nil { return key }
    if let subscription = frame.first(.subscription) {
      let own = message.fingerprint(behind: bytes[subscription.shown].fingerprint)
      if deliveries[WideKey(0, own)] != nil { return own }
    }
    return first(message, of: all.keys) ?? key
  }

  /// The key of the first delivery of a message that waits, or else of the first one.
  private func first(_ message: RawSpan, of subscriptions: some Sequence<UInt64>) -> UInt64? {
    var first: (key: UInt64, isOpen: Bool, order: Int)?
    for subscription in subscriptions {
      let key = message.fingerprint(behind: subscription)
      guard let order = deliveries[WideKey(0, key)]?.order else { continue }
      let isOpen = isOpen(key)
      let isBetter = first.map { isOpen != $0.isOpen ? isOpen : order < $0.order } ?? true
      if isBetter { first = (key, isOpen, order) }
    }
    return first?.key
  }

  /// Nil when the subscription is not known.
  func state(of key: UInt64) -> State? { states[WideKey(0, key)] }

  /// The open subscriptions, in the order of SUBSCRIBE.
  var open: [Subscription] {
    all.values.filter { $0.closed == nil }.sorted { $0.number < $1.number }
  }

  /// The first open subscription of a destination with another id.
  func first(at place: UInt64, besides id: String) -> Subscription? {
    var first: Subscription?
    for one in all.values where one.place == place && one.closed == nil && one.id != id {
      if first.map({ one.number < $0.number }) ?? true { first = one }
    }
    return first
  }

  /// The subscription that an ACK or a NACK names, if it wants none.
  func auto(namedBy frame: STOMPFrame, _ bytes: RawSpan) -> Subscription? {
    guard let named = frame.first(.subscription), let one = all[bytes[named.shown].fingerprint],
      one.mode == .auto
    else { return nil }
    return one
  }

  /// There are open subscriptions, and none wants ACK.
  var areAuto: Bool {
    var hasAny = false
    for one in all.values where one.closed == nil {
      if one.mode != .auto { return false }
      hasAny = true
    }
    return hasAny
  }

  subscript(key: UInt64) -> Subscription? { all[key] }

  /// - Parameter destination: as it was sent, of a subscription without an id.
  /// - Returns: whether another one had the same id.
  mutating func add(
    _ one: Subscription, _ key: UInt64, unnamedAt destination: [UInt8]? = nil
  ) -> Bool {
    if all.count >= most && all[key] == nil {
      // Ended subscriptions are the least useful.
      all = all.filter { $0.value.closed == nil }
      _ = states.removeAll { $1.closed != nil }
      hasForgottenSubscriptions = true
      let kept = all
      unnamed.removeAll { kept[$0.key] == nil }
      if all.count >= most { return false }
    }
    if let destination, all[key] == nil {
      let form = STOMPDialect.form(of: destination)
      unnamed.append((key, TopicFilter(destination, form)))
    }
    var one = one
    (one.number, begun) = (begun, begun + 1)
    states[WideKey(0, key)] = State(mode: one.mode, closed: one.closed)
    let before = all.updateValue(one, forKey: key)
    return before.map { $0.closed == nil } ?? false
  }

  mutating func close(_ key: UInt64, at time: Instant) {
    all[key]?.closed = time
    if let slot = states.slot(of: WideKey(0, key)) { states[slot: slot].closed = time }
  }

  /// - Parameter message: see `key(ofDelivered:)`.
  mutating func deliver(_ key: UInt64, _ message: UInt64) {
    guard let index = all.index(forKey: key) else { return }
    all.values[index].delivered += 1
    if max(deliveries.count, reachable.count) >= mostDeliveries { forget() }
    delivered += 1
    deliveries[WideKey(0, message)] = Delivery(
      subscription: key, number: all.values[index].delivered, order: delivered)
    if all.values[index].mode == .client {
      reachable.append(
        Reachable(subscription: key, number: all.values[index].delivered, order: delivered))
    }
  }

  /// Whether the message was delivered and waits for ACK.
  func isOpen(_ message: UInt64) -> Bool {
    guard let slot = deliveries.slot(of: WideKey(0, message)) else { return false }
    let delivery = deliveries[slot: slot]
    guard let one = all[delivery.subscription], one.mode != .auto else { return false }
    return !delivery.isSettled && delivery.number > one.settledTo
  }

  /// An ACK or a NACK.
  ///
  /// - Parameter reachesAll: it acknowledges the earlier messages of all subscriptions in mode
  ///   `client` (RabbitMQ).
  mutating func settle(_ message: UInt64, reachesAll: Bool) -> Settlement {
    guard let slot = deliveries.slot(of: WideKey(0, message)) else { return .unknown }
    let delivery = deliveries[slot: slot]
    guard let index = all.index(forKey: delivery.subscription) else { return .unknown }
    switch all.values[index].mode {
    case .auto: return .auto(all.values[index].label)
    case .individual:
      if delivery.isSettled { return .twice }
      deliveries[slot: slot].isSettled = true
      all.values[index].settled += 1
    case .client:
      if delivery.isSettled || delivery.number <= all.values[index].settledTo { return .twice }
      deliveries[slot: slot].isSettled = true
      all.values[index].settledTo = delivery.number
      all.values[index].settled = delivery.number
      if reachesAll { settleOthers(to: delivery.order) }
    }
    return .done
  }

  /// Acknowledges all deliveries up to this number, in mode `client`.
  private mutating func settleOthers(to order: Int) {
    while reached < reachable.count, reachable[reached].order <= order {
      let one = reachable[reached]
      reached += 1
      guard let index = all.index(forKey: one.subscription),
        all.values[index].mode == .client, all.values[index].settledTo < one.number
      else { continue }
      (all.values[index].settledTo, all.values[index].settled) = (one.number, one.number)
    }
  }

  /// Forgets acknowledged deliveries; if these are few, all.
  private mutating func forget() {
    hasForgottenDeliveries = true
    let all = all
    func isSettled(_ subscription: UInt64, _ number: Int) -> Bool {
      number <= all[subscription]?.settledTo ?? .max
    }
    _ = deliveries.removeAll { $1.isSettled || isSettled($1.subscription, $1.number) }
    reachable.removeFirst(reached)
    reached = 0
    reachable.removeAll { isSettled($0.subscription, $0.number) }
    if deliveries.count >= mostDeliveries / 2 {
      deliveries = IDTable(minimumCapacity: 1)
    }
    if reachable.count >= mostDeliveries / 2 { reachable.removeAll() }
  }
}
