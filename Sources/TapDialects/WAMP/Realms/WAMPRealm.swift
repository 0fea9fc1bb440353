// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// What the sessions of one realm of one router have in common. What its tables hold is taken from
/// what all sessions together may be watched by.
///
/// What is touched for each publication is not checked for exclusive access, which would cost more
/// than the work: nothing here calls back.
final class WAMPRealm {
  /// How calls of a procedure are shared, and how many sessions have registered it so.
  private struct Policy: Sendable, BitwiseCopyable {
    var value: UInt8
    var holders: UInt32
  }

  private struct Latest {
    var topic: UInt64
    var visitor: UInt64
    var time: Instant
  }

  /// What a client left behind when its sessions ended.
  private struct Past: Sendable, BitwiseCopyable {
    /// Sessions that it has now.
    var open: UInt32 = 0
    var left: UInt32 = 0
    /// Sessions in a row that left more than the one before.
    var growth: UInt32 = 0
    /// Sessions at the same time are of several clients, which cannot be told apart.
    var isMixed = false
  }

  /// Sessions that are open under one id, and the input that has the first of them.
  private struct Sessions: Sendable, BitwiseCopyable {
    var count: UInt32 = 1
    var input: UInt16
  }

  private var sessions = IDTable<Sessions>(minimumCapacity: 1)
  private var visitors: UInt64 = 0
  private var policies = IDTable<Policy>(minimumCapacity: 1)
  private var clients = IDTable<Past>(minimumCapacity: 1)
  /// A ring of the latest.
  @exclusivity(unchecked) private var latest = ContiguousArray<Latest>()
  @exclusivity(unchecked) private var oldest = 0
  private static let latestCount = 64
  /// Clients that are remembered while they are away.
  private static let mostClients = 4096
  /// How many of them there are.
  private var away = 0
  /// Sessions that are there now, and those of them that have subscribed to anything.
  private(set) var present = 0
  @exclusivity(unchecked) var subscribers = 0
  /// Not all of the realm is in the evidence, as far as that shows.
  @exclusivity(unchecked) var isPartial: Bool
  /// Another port of this address has a realm of the same name.
  var hasSibling = false
  /// The evidence has ended before a session did.
  var isCut = false
  /// Both legs of something were seen, or sessions of several clients, or the router's own
  /// interface: what other sessions get would be seen.
  var showsOthers = false
  /// The client of the first session.
  private var firstClient: [UInt8] = []
  /// A session has registered something; calls were answered.
  var hasCallees = false
  var hasAnswers = false
  @exclusivity(unchecked) var receivers: WAMPReceivers
  @exclusivity(unchecked) var publications: WAMPPublications
  /// Room for publications was taken.
  @exclusivity(unchecked) private var hasRoom = false
  /// What ended sessions have left, to be published.
  @exclusivity(unchecked) var testaments = ContiguousArray<WAMPTestament>()
  private let allowance: Allowance
  /// What its sessions have published.
  let texts: WAMPPayloadTexts
  let limits: Limits

  init(_ limits: Limits, _ texts: WAMPPayloadTexts, isPartial: Bool = false) {
    (self.limits, allowance, self.isPartial) = (limits, limits.watchedEntries, isPartial)
    receivers = WAMPReceivers(limits.watchedEntries)
    publications = WAMPPublications(limits: limits)
    self.texts = texts
  }

  /// Whether an EVENT may be of something that is known here.
  var joinsEvents: Bool { publications.isWatching || !testaments.isEmpty }

  private static func key(_ id: UInt64) -> WideKey { WideKey(0, id) }

  // MARK: - Sessions

  /// A session with this id was opened.
  ///
  /// - Returns: whether another one has it already. In another input that may be the same session,
  ///   captured elsewhere.
  func open(_ id: UInt64, _ origin: Origin) -> Bool {
    if let slot = sessions.slot(of: Self.key(id)) {
      sessions[slot: slot].count += 1
      // What one of them publishes, the other seems to publish, too.
      isPartial = true
      return sessions[slot: slot].input == origin.input
    }
    if allowance.take(1) { sessions[Self.key(id)] = Sessions(input: origin.input) }
    return false
  }

  func close(_ id: UInt64) {
    guard let slot = sessions.slot(of: Self.key(id)) else { return }
    sessions[slot: slot].count -= 1
    if sessions[slot: slot].count == 0 {
      _ = sessions.removeValue(for: Self.key(id))
      allowance.give(1)
    }
  }

  // MARK: - Clients

  /// A client begins a session.
  ///
  /// - Returns: a number that no other session of the realm has; ids are only what routers say.
  func arrive(_ client: UInt64, _ place: WAMPPlace) -> UInt64 {
    visitors &+= 1
    present += 1
    if present == 1 { firstClient = place.client }
    if place.isLocal || place.client != firstClient { showsOthers = true }
    if !place.isCaptured { isPartial = true }
    let slot: Int
    if let known = clients.slot(of: Self.key(client)) {
      slot = known
      if clients[slot: slot].open == 0 { away -= 1 }
    } else {
      guard allowance.take(1) else { return visitors }
      slot = clients.insert(Past(), for: Self.key(client)).slot
    }
    if clients[slot: slot].open > 0 { clients[slot: slot].isMixed = true }
    clients[slot: slot].open += 1
    return visitors
  }

  /// A session of a client ends.
  ///
  /// - Parameter left: subscriptions that it leaves open; nil when that is not known.
  /// - Returns: what the session before left, when this is the second in a row that left more.
  func leave(_ client: UInt64, left: Int?) -> Int? {
    guard let slot = clients.slot(of: Self.key(client)), clients[slot: slot].open > 0 else {
      return nil
    }
    var past = clients[slot: slot]
    past.open -= 1
    let before = past.left
    if past.isMixed && past.open == 0 {
      past = Past()
    } else if let left, !past.isMixed {
      past.left = UInt32(clamping: left)
      past.growth = before > 0 && past.left > before ? past.growth &+ 1 : 0
    }
    if past.open == 0 && past.left == 0 {
      // Of most clients there is nothing to remember.
      _ = clients.removeValue(for: Self.key(client))
      allowance.give(1)
    } else {
      clients[slot: slot] = past
      if past.open == 0 {
        away += 1
        if away > Self.mostClients { forgetPast() }
      }
    }
    return left != nil && !past.isMixed && past.growth >= 2 ? Int(before) : nil
  }

  /// One session less.
  ///
  /// - Returns: whether that was the last session.
  func depart() -> Bool {
    present -= 1
    return present == 0
  }

  /// The last session has left: what is kept was for the sessions.
  func clear(_ isPartial: Bool) {
    receivers.forget()
    testaments.removeAll()
    if hasRoom {
      publications = WAMPPublications(limits: limits)
      allowance.give(limits.publications)
      hasRoom = false
    }
    (subscribers, isCut, showsOthers, hasCallees, hasAnswers) = (0, false, false, false, false)
    self.isPartial = isPartial
  }

  /// Before a publication is kept.
  func makeRoom() -> Bool {
    if !hasRoom { hasRoom = allowance.take(limits.publications) }
    return hasRoom
  }

  /// Forgets the clients that have no session now.
  private func forgetPast() {
    allowance.give(clients.removeAll { $1.open == 0 })
    away = 0
  }

  // MARK: - Registrations

  /// The way calls of a procedure are shared, as other sessions have registered it.
  func policy(of procedure: UInt64) -> UInt8? { policies[Self.key(procedure)]?.value }

  func register(_ procedure: UInt64, _ value: UInt8) {
    if let slot = policies.slot(of: Self.key(procedure)) {
      policies[slot: slot].holders &+= 1
    } else if allowance.take(1) {
      policies[Self.key(procedure)] = Policy(value: value, holders: 1)
    }
  }

  func unregister(_ procedure: UInt64) {
    guard let slot = policies.slot(of: Self.key(procedure)) else { return }
    policies[slot: slot].holders &-= 1
    if policies[slot: slot].holders == 0 {
      _ = policies.removeValue(for: Self.key(procedure))
      allowance.give(1)
    }
  }

  // MARK: - Publications

  func publish(_ topic: UInt64, by visitor: UInt64, at time: Instant) {
    let entry = Latest(topic: topic, visitor: visitor, time: time)
    if latest.count < Self.latestCount {
      latest.append(entry)
    } else {
      latest[oldest] = entry
      oldest = (oldest &+ 1) % Self.latestCount
    }
  }

  /// When another session published to the topic last, within this time.
  func latest(_ topic: UInt64, notBy visitor: UInt64, since: Instant, until: Instant) -> Instant? {
    latest.filter {
      $0.topic == topic && $0.visitor != visitor && $0.time > since && $0.time < until
    }.map(\.time).max()
  }
}
