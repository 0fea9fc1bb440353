// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The acknowledged publications of one realm, and the EVENTs they led to. Only the publication id
/// joins the two legs: a PUBLISH that is not acknowledged has none.
struct WAMPPublications {
  /// A PUBLISH that asked for an acknowledgement.
  struct Sent: Sendable, BitwiseCopyable {
    var source: WAMPReceivers.Source
    /// How many acknowledged publications the session had sent.
    var serial: UInt64
    var payload: WAMPPayload
    var isHeard = false
    /// The id was given to another publication as well.
    var isAmbiguous = false
  }

  /// An EVENT.
  struct Came {
    var publication: UInt64
    /// The receiving session; the lane in which its order is judged; and how many EVENTs it had
    /// received.
    var subscriber: UInt64
    /// The id of that session, or 0.
    var session: UInt64
    var lane: UInt64
    var number: UInt64
    var subscription: UInt64
    /// It is a replayed event: neither its order nor its payload is judged.
    var isReplayed: Bool
  }

  /// An EVENT with what is needed to report it, perhaps later.
  struct Event {
    var came: Came
    /// The session number on the subscriber's connection.
    var session: UInt16
    var origin: Origin
    var payload = WAMPPayload.unknown
  }

  /// The result of joining an EVENT with its PUBLISH.
  struct Outcome {
    var violation: WAMPOrder.Violation?
    var isChanged = false
    /// The option of PUBLISH that says that the session does not receive it.
    var exclusion: StaticString?
    /// It is the first EVENT of this publication.
    var isFirst = false
    var source: WAMPReceivers.Source

    var isFault: Bool { violation != nil || isChanged || exclusion != nil }
  }

  /// Keyed by session and request until PUBLISHED, then by publication. No session has the number
  /// 0.
  private var sent = PlacedTable<Sent>()
  /// By slot, who may receive it; of those that limit this.
  private var audiences: [Int: WAMPAudience] = [:]
  /// How many wait for PUBLISHED.
  private var waiting = 0
  /// The slots of the acknowledged ones, in the order of their PUBLISHED.
  private var latest = ContiguousArray<Int>()
  private var oldest = 0
  /// Keyed by receiving and sending session. Emptied when too large. Session numbers of a realm are
  /// never reused, so entries of ended sessions do no harm.
  private var orders = PlacedTable<WAMPOrder>()
  /// The latest EVENTs whose PUBLISHED has not come.
  private var early = ContiguousArray<Event>()
  /// The index in `early` that was overwritten last.
  private var earliest = 0
  /// How many early EVENTs came since one was last joined with a PUBLISH.
  private var fruitless = 0
  /// Subscriptions for which a changed payload was reported.
  private var changed: Set<WideKey> = []
  private let limits: Limits

  init(limits: Limits) { self.limits = limits }

  private static func key(_ id: UInt64) -> WideKey { WideKey(0, id) }

  /// Whether an EVENT may belong to a known publication.
  var isWatching: Bool { sent.count > 0 }

  /// Whether a PUBLISHED is still awaited.
  var isAwaiting: Bool { waiting > 0 }

  /// Whether to keep the arguments of an EVENT without a known PUBLISH. Not where most EVENTs come
  /// from sessions that were not captured.
  var comparesEarly: Bool { fruitless < limits.unjoinedEvents }

  /// PUBLISH.
  mutating func send(_ request: UInt64, _ publication: Sent, to audience: WAMPAudience?) {
    if sent.count >= limits.publications {
      sent.removeAll { $0.high != 0 }
      waiting = 0
    }
    let key = WideKey(publication.source.publisher, request)
    let known = sent.slot(of: key)
    let slot = known ?? sent.insert(publication, for: key)
    if audience != nil || !audiences.isEmpty { audiences[slot] = audience }
    if known != nil { return sent[slot: slot] = publication }
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
  /// - Returns: the source of the publication that has an id of its own now, if any; that of an
  ///   older one that was dropped to make room and had no EVENT, if any; and the EVENTs that came
  ///   before this PUBLISHED.
  mutating func acknowledge(
    _ request: UInt64, of publisher: UInt64, as publication: UInt64, _ texts: WAMPPayloadTexts
  ) -> (
    source: WAMPReceivers.Source?, unheard: WAMPReceivers.Source?,
    early: [(event: Event, outcome: Outcome)]
  ) {
    guard let slot = sent.slot(of: WideKey(publisher, request)) else { return (nil, nil, []) }
    if let known = sent.slot(of: Self.key(publication)) {
      // Two captures of the same session, or a router that reuses an id.
      sent[slot: known].isAmbiguous = true
      dropWaiting(slot)
      return (nil, nil, [])
    }
    sent.move(slot: slot, to: Self.key(publication))
    waiting &-= 1
    let source = sent[slot: slot].source
    let unheard = remember(slot)
    return (source, unheard, early.isEmpty ? [] : joinEarly(publication, slot, texts))
  }

  /// Remembers the newest slot, and forgets the oldest when there are too many.
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

  /// The slot of a publication, valid until another one is acknowledged; nil when its PUBLISH is
  /// not known.
  func slot(of publication: UInt64) -> Int? { sent.slot(of: Self.key(publication)) }

  /// The arguments of the PUBLISH.
  func payload(at slot: Int) -> WAMPPayload { sent[slot: slot].payload }

  /// EVENT of the publication in a slot.
  ///
  /// - Parameter isOther: whether its arguments differ from those of the PUBLISH.
  mutating func join(_ came: Came, at slot: Int, isOther: Bool) -> Outcome {
    let source = sent[slot: slot].source
    var outcome = Outcome(isFirst: !sent[slot: slot].isHeard, source: source)
    sent[slot: slot].isHeard = true
    if sent[slot: slot].isAmbiguous || came.isReplayed { return outcome }
    if !audiences.isEmpty && came.session != 0 {
      outcome.exclusion = audiences[slot]?.option(against: came.session)
    }
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
    if isAwaiting { fruitless &+= 1 }
    if early.count < limits.earlyEvents { return early.append(event) }
    earliest = (earliest &+ 1) % limits.earlyEvents
    early[earliest] = event
  }
}
