// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The acknowledged publications of one realm, and the EVENTs that they came to. Both legs are
/// joined by the id of the publication, never by anything else: a PUBLISH that is not acknowledged
/// has none.
struct WAMPPublications {
  /// A PUBLISH that asked for an acknowledgement.
  struct Sent: Sendable, BitwiseCopyable {
    /// The session, and how many such it has sent.
    var publisher: UInt64
    var serial: UInt64
    var topic: UInt64
    var payload: WAMPPayload
    var isHeard = false
    /// Somebody else was told to have published it, too.
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
    /// Of the subscriber's connection, for what may be told of it later.
    var session: UInt16
    var origin: Origin
    /// It is an old one, of which neither order nor payload are judged.
    var isReplayed: Bool
    var payload = WAMPPayload.unknown
  }

  /// What an EVENT and its PUBLISH say of each other.
  struct Outcome {
    var violation: WAMPOrder.Violation?
    var isChanged = false
    /// The first EVENT of it.
    var isFirst = false
    var sent: Sent
  }

  /// By session and request.
  private var waiting = IDTable<Sent>(minimumCapacity: 1)
  /// By publication, and the order in which they came.
  private var sent = IDTable<Sent>(minimumCapacity: 1)
  private var latest = ContiguousArray<UInt64>()
  private var oldest = 0
  /// By receiving and sending session. Emptied when too large; session numbers of a realm are never
  /// reused, so entries of ended sessions do no harm.
  private var orders = IDTable<WAMPOrder>(minimumCapacity: 1)
  /// EVENTs whose PUBLISHED may yet come.
  private var early = ContiguousArray<Came>()
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
  var isWatching: Bool { sent.count > 0 || waiting.count > 0 }

  /// Whether the id of one of them is still to come.
  var isAwaiting: Bool { waiting.count > 0 }

  /// Whether the arguments of an EVENT that nobody is known to have published are worth a look.
  /// Where so many EVENTs came from others alone, they are not.
  var comparesEarly: Bool { fruitless < limits.unjoinedEvents }

  /// PUBLISH.
  mutating func send(_ request: UInt64, _ publication: Sent) {
    if waiting.count + sent.count >= limits.publications { waiting.removeAll() }
    waiting[WideKey(publication.publisher, request)] = publication
  }

  /// ERROR of a PUBLISH.
  mutating func drop(_ request: UInt64, of publisher: UInt64) -> Sent? {
    waiting.removeValue(for: WideKey(publisher, request))
  }

  /// PUBLISHED.
  ///
  /// - Returns: the publication that was forgotten for it, if any, and the EVENTs that came before.
  mutating func acknowledge(
    _ request: UInt64, of publisher: UInt64, as publication: UInt64, _ texts: WAMPPayloadTexts
  ) -> (forgotten: Sent?, early: [(came: Came, outcome: Outcome)]) {
    guard let fresh = waiting.removeValue(for: WideKey(publisher, request)) else {
      return (nil, [])
    }
    if let slot = sent.slot(of: Self.key(publication)) {
      // One session that two captures have, or a router that gives an id twice.
      sent[slot: slot].isAmbiguous = true
      return (nil, [])
    }
    var forgotten: Sent?
    if latest.count < limits.publications / 2 {
      latest.append(publication)
    } else {
      forgotten = sent.removeValue(for: Self.key(latest[oldest]))
      latest[oldest] = publication
      oldest = (oldest + 1) % latest.count
    }
    sent[Self.key(publication)] = fresh
    var joined: [(Came, Outcome)] = []
    for came in early where came.publication == publication {
      guard let slot = slot(of: publication) else { break }
      let isOther = fresh.payload.differs(from: came.payload, texts)
      joined.append((came, join(came, at: slot, isOther: isOther)))
    }
    if !joined.isEmpty {
      early.removeAll { $0.publication == publication }
      fruitless = 0
    }
    return (forgotten, joined)
  }

  /// Where a publication stands, until another one is acknowledged; nil when nobody is known to
  /// have published it.
  func slot(of publication: UInt64) -> Int? { sent.slot(of: Self.key(publication)) }

  /// The arguments of the PUBLISH.
  func payload(at slot: Int) -> WAMPPayload { sent[slot: slot].payload }

  /// EVENT of a publication that stands at a place.
  ///
  /// - Parameter isOther: whether its arguments are others than those of the PUBLISH.
  mutating func join(_ came: Came, at slot: Int, isOther: Bool) -> Outcome {
    let known = sent[slot: slot]
    var outcome = Outcome(isFirst: !known.isHeard, sent: known)
    sent[slot: slot].isHeard = true
    if known.isAmbiguous || came.isReplayed { return outcome }
    let pair = WideKey(came.subscriber ^ came.lane, known.publisher)
    if orders.count >= limits.publications / 2 { orders.removeAll() }
    let place = orders.insert(WAMPOrder(), for: pair).slot
    outcome.violation = orders[slot: place].add(
      came.publication, sent: known.serial, came: came.number)
    let grant = WideKey(came.subscriber, came.subscription)
    if isOther && changed.count < limits.publications {
      outcome.isChanged = changed.insert(grant).inserted
    }
    return outcome
  }

  /// An EVENT of which nobody is known yet to have published it.
  mutating func keep(_ came: Came) {
    fruitless &+= 1
    if early.count < limits.earlyEvents { return early.append(came) }
    earliest = (earliest &+ 1) % limits.earlyEvents
    early[earliest] = came
  }
}
