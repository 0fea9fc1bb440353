// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The acknowledged publications of one realm, and the EVENTs that they came to. Both legs are
/// joined by the id of the publication, never by anything else: a PUBLISH that is not acknowledged
/// has none.
struct WAMPPublications {
  /// A PUBLISH that asked for an acknowledgement.
  struct Sent: Sendable, BitwiseCopyable {
    var source: WAMPReceivers.Source
    /// How many such the session has sent.
    var serial: UInt64
    var payload: WAMPPayload
    var isHeard = false
    /// Another publisher has been named as well.
    var isAmbiguous = false
  }

  /// An EVENT.
  struct Came {
    var publication: UInt64
    /// The session, what its order is kept under, and how many EVENTs it had.
    var subscriber: UInt64
    var lane: UInt64
    var number: UInt64
    var subscription: UInt64
    /// It is an old one: neither order nor payload are judged.
    var isReplayed: Bool
  }

  /// An EVENT with what is needed to tell of it, which may be later.
  struct Event {
    var came: Came
    /// Of the subscriber's connection.
    var session: UInt16
    var origin: Origin
    var payload = WAMPPayload.unknown
  }

  /// What an EVENT and its PUBLISH say of each other.
  struct Outcome {
    var violation: WAMPOrder.Violation?
    var isChanged = false
    /// The first EVENT of it.
    var isFirst = false
    var source: WAMPReceivers.Source

    var isFault: Bool { violation != nil || isChanged }
  }

  /// By session and request while they wait for PUBLISHED, then by publication. No session has the
  /// number 0.
  private var sent = PlacedTable<Sent>()
  /// How many of them wait.
  private var waiting = 0
  /// Where the others stand, in the order of their PUBLISHED.
  private var latest = ContiguousArray<Int>()
  private var oldest = 0
  /// By receiving and sending session. Emptied when too large; session numbers of a realm are never
  /// reused, so entries of ended sessions do no harm.
  private var orders = PlacedTable<WAMPOrder>()
  /// EVENTs whose PUBLISHED may yet come.
  private var early = ContiguousArray<Event>()
  /// Where the one stands that was overwritten last.
  private var earliest = 0
  /// How many came since one of them was joined.
  private var fruitless = 0
  /// Subscriptions whose payloads were told to be changed.
  private var changed: Set<WideKey> = []
  private let limits: Limits

  init(limits: Limits) { self.limits = limits }

  private static func key(_ id: UInt64) -> WideKey { WideKey(0, id) }

  /// Whether an EVENT may be of one of them.
  var isWatching: Bool { sent.count > 0 }

  /// Whether the id of one of them is still to come.
  var isAwaiting: Bool { waiting > 0 }

  /// Whether the arguments of an EVENT without a known PUBLISH are worth a look. Where most EVENTs
  /// come from sessions that were not captured, they are not.
  var comparesEarly: Bool { fruitless < limits.unjoinedEvents }

  /// PUBLISH.
  mutating func send(_ request: UInt64, _ publication: Sent) {
    if sent.count >= limits.publications {
      sent.removeAll { $0.high != 0 }
      waiting = 0
    }
    let key = WideKey(publication.source.publisher, request)
    if let slot = sent.slot(of: key) { return sent[slot: slot] = publication }
    sent.insert(publication, for: key)
    waiting &+= 1
  }

  /// ERROR of a PUBLISH, or the end of its session.
  mutating func drop(_ request: UInt64, of publisher: UInt64) -> WAMPReceivers.Source? {
    guard let slot = sent.slot(of: WideKey(publisher, request)) else { return nil }
    defer { dropWaiting(slot) }
    return sent[slot: slot].source
  }

  private mutating func dropWaiting(_ slot: Int) {
    sent.remove(slot: slot)
    waiting &-= 1
  }

  /// PUBLISHED.
  ///
  /// - Returns: whose publication was forgotten for it unheard, if any was, and the EVENTs that
  ///   came before.
  mutating func acknowledge(
    _ request: UInt64, of publisher: UInt64, as publication: UInt64, _ texts: WAMPPayloadTexts
  ) -> (unheard: WAMPReceivers.Source?, early: [(event: Event, outcome: Outcome)]) {
    guard let slot = sent.slot(of: WideKey(publisher, request)) else { return (nil, []) }
    if let known = sent.slot(of: Self.key(publication)) {
      // One session that two captures have, or a router that gives an id twice.
      sent[slot: known].isAmbiguous = true
      dropWaiting(slot)
      return (nil, [])
    }
    sent.move(slot: slot, to: Self.key(publication))
    waiting &-= 1
    let unheard = remember(slot)
    return (unheard, early.isEmpty ? [] : joinEarly(publication, slot, texts))
  }

  /// Remembers where the youngest stands, and forgets the oldest where there are too many.
  private mutating func remember(_ slot: Int) -> WAMPReceivers.Source? {
    if latest.count < limits.publications / 2 {
      latest.append(slot)
      return nil
    }
    let forgotten = latest[oldest]
    let (isHeard, source) = (sent[slot: forgotten].isHeard, sent[slot: forgotten].source)
    sent.remove(slot: forgotten)
    latest[oldest] = slot
    oldest &+= 1
    if oldest == latest.count { oldest = 0 }
    return isHeard ? nil : source
  }

  @inline(never)
  private mutating func joinEarly(
    _ publication: UInt64, _ slot: Int, _ texts: WAMPPayloadTexts
  ) -> [(event: Event, outcome: Outcome)] {
    var joined: [(event: Event, outcome: Outcome)] = []
    for event in early where event.came.publication == publication {
      let isOther = sent[slot: slot].payload.differs(from: event.payload, texts)
      joined.append((event, join(event.came, at: slot, isOther: isOther)))
    }
    if !joined.isEmpty {
      early.removeAll { $0.came.publication == publication }
      fruitless = 0
    }
    return joined
  }

  /// Where a publication stands, until another one is acknowledged; nil when its PUBLISH is not
  /// known.
  func slot(of publication: UInt64) -> Int? { sent.slot(of: Self.key(publication)) }

  /// The arguments of the PUBLISH.
  func payload(at slot: Int) -> WAMPPayload { sent[slot: slot].payload }

  /// EVENT of a publication that stands at a place.
  ///
  /// - Parameter isOther: whether its arguments are others than those of the PUBLISH.
  mutating func join(_ came: Came, at slot: Int, isOther: Bool) -> Outcome {
    let source = sent[slot: slot].source
    var outcome = Outcome(isFirst: !sent[slot: slot].isHeard, source: source)
    sent[slot: slot].isHeard = true
    if sent[slot: slot].isAmbiguous || came.isReplayed { return outcome }
    let pair = WideKey(came.subscriber ^ came.lane, source.publisher)
    if orders.count >= limits.publications / 2 { orders.removeAll() }
    let place = orders.slot(of: pair) ?? orders.insert(WAMPOrder(), for: pair)
    outcome.violation = orders[slot: place].add(
      came.publication, sent: sent[slot: slot].serial, came: came.number)
    let grant = WideKey(came.subscriber, came.subscription)
    if isOther && changed.count < limits.publications {
      outcome.isChanged = changed.insert(grant).inserted
    }
    return outcome
  }

  /// An EVENT whose PUBLISH is not known yet.
  mutating func keep(_ event: Event) {
    fruitless &+= 1
    if early.count < limits.earlyEvents { return early.append(event) }
    earliest = (earliest &+ 1) % limits.earlyEvents
    early[earliest] = event
  }
}
