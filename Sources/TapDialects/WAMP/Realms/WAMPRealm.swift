// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// What the sessions of one realm of one router share. Its tables take their room from the entries
/// that all sessions may have together.
///
/// Exclusivity checks are off for what each publication touches, as they would cost more than the
/// work; nothing here calls back.
final class WAMPRealm {
  /// The invocation policy of a procedure, and how many sessions have registered it with this
  /// policy.
  private struct Policy: Sendable, BitwiseCopyable {
    var value: UInt8
    var holders: UInt32
  }

  private struct Latest {
    var topic: UInt64
    var visitor: UInt64
    var time: Instant
  }

  /// How many subscriptions a client left open when its sessions ended.
  private struct Past: Sendable, BitwiseCopyable {
    /// Its open sessions.
    var open: UInt32 = 0
    var left: UInt32 = 0
    /// How many sessions in a row left more open than the one before.
    var growth: UInt32 = 0
    /// It had several sessions at once: they may be of several clients, which cannot be told apart.
    var isMixed = false
  }

  /// The number of open sessions with one id, and the input of the first of them.
  private struct Sessions: Sendable, BitwiseCopyable {
    var count: UInt32 = 1
    var input: UInt16
  }

  private var sessions = IDTable<Sessions>(minimumCapacity: 1)
  private var visitors: UInt64 = 0
  private var policies = IDTable<Policy>(minimumCapacity: 1)
  private var clients = IDTable<Past>(minimumCapacity: 1)
  /// A ring of the latest publications.
  @exclusivity(unchecked) private var latest = ContiguousArray<Latest>()
  @exclusivity(unchecked) private var oldest = 0
  private static let latestCount = 64
  /// The limit of clients that are remembered without an open session.
  private static let mostClients = 4096
  /// How many clients are remembered without an open session.
  private var away = 0
  /// Open sessions, and how many of these have subscribed to anything.
  private(set) var present = 0
  @exclusivity(unchecked) var subscribers = 0
  /// Some sessions or messages of the realm were not captured.
  @exclusivity(unchecked) var isPartial: Bool
  /// A router at another port of this address has a realm of the same name.
  var hasSibling = false
  /// The capture ended before a session did.
  var isCut = false
  /// Events to other sessions would be in the capture: both legs of a publication were seen, or
  /// sessions of several clients, or the loopback interface.
  var showsOthers = false
  /// The client of the first session.
  private var firstClient: [UInt8] = []
  /// A session has registered a procedure; a call got its result.
  var hasCallees = false
  var hasAnswers = false
  @exclusivity(unchecked) var receivers: WAMPReceivers
  @exclusivity(unchecked) var publications: WAMPPublications
  /// Room for publications was taken from the allowance.
  @exclusivity(unchecked) private var hasRoom = false
  /// The testaments of ended sessions, to be published by the router.
  @exclusivity(unchecked) var testaments = ContiguousArray<WAMPTestament>()
  private let allowance: Allowance
  /// The arguments that its sessions have published.
  let texts: WAMPPayloadTexts
  let limits: Limits

  init(_ limits: Limits, _ texts: WAMPPayloadTexts, isPartial: Bool = false) {
    (self.limits, allowance, self.isPartial) = (limits, limits.watchedEntries, isPartial)
    receivers = WAMPReceivers(limits.watchedEntries)
    publications = WAMPPublications(limits: limits)
    self.texts = texts
  }

  /// Whether an EVENT may belong to a known publication or testament.
  var joinsEvents: Bool { publications.isWatching || !testaments.isEmpty }

  private static func key(_ id: UInt64) -> WideKey { WideKey(0, id) }

  // MARK: - Sessions

  /// A session with this id was opened.
  ///
  /// - Returns: whether another session of the same input has the id already. One in another input
  ///   may be the same session, captured elsewhere.
  func open(_ id: UInt64, _ origin: Origin) -> Bool {
    if let slot = sessions.slot(of: Self.key(id)) {
      sessions[slot: slot].count += 1
      // Both seem to publish what one of them publishes.
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
  /// - Returns: a number that is unique in the realm, which the ids that routers give need not be.
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
  /// - Parameter left: how many subscriptions it leaves open; nil when that is not known.
  /// - Returns: how many the previous session left, when this is the second in a row that left
  ///   more.
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
      // Most clients leave nothing to remember.
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

  /// The last session has left: forgets what was kept for comparing sessions.
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

  /// Takes room for publications, if not done yet; false when there is none.
  func makeRoom() -> Bool {
    if !hasRoom { hasRoom = allowance.take(limits.publications) }
    return hasRoom
  }

  /// Forgets the clients that have no open session.
  private func forgetPast() {
    allowance.give(clients.removeAll { $1.open == 0 })
    away = 0
  }

  // MARK: - Registrations

  /// The invocation policy with which other sessions registered a procedure.
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

  /// The time of the latest publication to the topic by another session, in this period.
  func latest(_ topic: UInt64, notBy visitor: UInt64, since: Instant, until: Instant) -> Instant? {
    latest.filter {
      $0.topic == topic && $0.visitor != visitor && $0.time > since && $0.time < until
    }.map(\.time).max()
  }
}
