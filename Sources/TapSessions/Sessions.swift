// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// Joins messages into exchanges, named ids and publications by the links they declare. It knows no
/// dialect, only keys, roles and scopes.
///
/// An answer is joined with the request that is open under its key in its own session. A name is
/// taken from the same session, otherwise from another session of the same router and realm. What
/// was never seen stays unknown, and what is inferred from payloads is marked as such.
///
/// The rules that judge traffic (`ExchangeRules`, and those of WAMP and MQTT) have tables of their
/// own: layers use them to decide what a message is before it is reported, in a long capture on
/// another thread.
public struct Sessions {
  /// Where a message belongs. The owner of the connections assigns the numbers.
  public struct Membership: Sendable, BitwiseCopyable {
    /// Unique for each session of each connection.
    public var session: UInt64
    /// Unique for each router.
    public var router: UInt32
    /// Unique for each realm of each router; 0 when the realm is not known.
    public var realm: UInt32
    /// Whether this may be several sessions in one, each with its own ids.
    public var mixing: Opening.Mixing

    @inlinable public init(
      session: UInt64, router: UInt32, realm: UInt32, mixing: Opening.Mixing = .none
    ) {
      (self.session, self.router, self.realm, self.mixing) = (session, router, realm, mixing)
    }
  }

  /// An open exchange, a named id, or an id that messages share. One type for all three, so that
  /// their tables share the same code.
  struct Entry: BitwiseCopyable {
    var index: UInt64
    /// For an exchange, when it began, as nanoseconds of an `Instant`; for a publication, the index
    /// of the message that published it.
    var mark: Int64
    var subject: Int32
    var isPattern: Bool
    var isInferred = false
    /// Decimal digits of a second that the clock resolved when it began.
    var precision: UInt8 = 9
    /// How many answers are ambiguous, because several exchanges with the same id are open; 0 where
    /// there is only one.
    var rivals: UInt8 = 0
    /// The side that asked has ended it.
    var isOver = false
  }

  private var exchanges = IDTable<Entry>()
  private var names = IDTable<Entry>()
  /// Publications. There are many, each of use for a moment, so nothing is reported when old ones
  /// are forgotten.
  private var shared: GenerationTable<Entry>
  /// Names from an earlier reading of the capture.
  private var foreseen = ForeseenNames()
  /// Names for a later reading; nil where there will be none.
  private var collected: ForeseenNames?
  private var relayed = RelayedCalls()
  private let limits: Limits

  /// Entries that were forgotten to stay within `Limits`.
  public private(set) var evicted: UInt64 = 0

  /// Ids from here on are random, so no two realms or routers issue the same one. Smaller ids are
  /// counters, and mean something only where they were issued.
  static let leastRandom: UInt64 = 1 << 32

  /// - Parameter collectsNames: collect what ids stand for, for another reading.
  public init(limits: Limits, collectsNames: Bool = false) {
    self.limits = limits
    if collectsNames { collected = ForeseenNames() }
    shared = GenerationTable(most: limits.sharedIDs)
  }

  /// Fills in what is known: the subject, what the message answers, and how long that took.
  ///
  /// - Parameter subject: the interned subject that the message itself carries, or 0.
  @inline(__always)
  public mutating func join(
    _ message: Message, _ joined: inout Joined, subject: Int32, at place: Membership
  ) {
    var known = subject
    var isPattern = message.traits.contains(.isPattern)
    look(message.first, message, &joined, &known, &isPattern, place)
    if message.second.role != .none {
      look(message.second, message, &joined, &known, &isPattern, place)
      store(message.second, message, joined, known, isPattern, place)
    }
    store(message.first, message, joined, known, isPattern, place)
    if message.third.role != .none {
      look(message.third, message, &joined, &known, &isPattern, place)
      store(message.third, message, joined, known, isPattern, place)
    }
    joined.subject = known
    if collected != nil && known != 0 && !joined.isSubjectInferred {
      collect(message, known, isPattern, place)
    }
  }

  private mutating func collect(
    _ message: Message, _ subject: Int32, _ isPattern: Bool, _ place: Membership
  ) {
    for number in 0..<3 {
      let link = message.link(number)
      guard Self.isNamed(by: message, link.role), link.scope == .router,
        link.key >= Self.leastRandom,
        let key = Self.routerKey(link, place), collected?.count ?? 0 < limits.namedIDs
      else { continue }
      collected?.add(key, subject, isPattern: isPattern)
    }
  }

  /// Whether the subject of the message is what the id stands for. A message that refers to an id
  /// and has a subject of its own has it because the id stands for a pattern (EVENT, INVOCATION).
  private static func isNamed(by message: Message, _ role: Link.Role) -> Bool {
    switch role {
    case .names, .concerns: true
    case .refers: message.subject.isEmpty
    default: false
    }
  }

  /// Calls `body` for each collected id: its key, the number of its subject, and what is known of
  /// it.
  public func forEachCollected(
    _ body: (WideKey, Int32, _ isPattern: Bool, _ isInferred: Bool) -> Void
  ) {
    collected?.forEach { body($0, $1.subject, $1.isPattern, $1.isInferred) }
  }

  /// Infers what ids stand for from the payloads of joined messages. Used only while names are
  /// collected.
  public mutating func infer(
    _ message: Message, _ joined: Joined, digest: Int, at place: Membership
  ) {
    guard
      let found = relayed.note(
        message, joined, digest: digest, at: place, most: limits.relayedCalls),
      found.link.key >= Self.leastRandom, let key = Self.routerKey(found.link, found.place),
      collected?.count ?? 0 < limits.namedIDs
    else { return }
    collected?.add(key, found.subject, isPattern: false, isInferred: true)
  }

  /// Enters what an id stands for, known from an earlier reading.
  ///
  /// - Parameter key: as `forEachCollected` gave it in an earlier reading of the same capture.
  public mutating func foresee(
    _ key: WideKey, _ subject: Int32, isPattern: Bool, isInferred: Bool
  ) {
    foreseen.add(key, subject, isPattern: isPattern, isInferred: isInferred)
  }

  /// The subject of the open exchange or the name that a link refers to, and the index of the
  /// message that began it.
  public func known(_ link: Link, at place: Membership) -> (subject: Int32, index: UInt64)? {
    let entry =
      link.role == .opens
      ? exchanges[Self.sessionKey(link, place)] : Self.name(link, place, in: names)
    return entry.map { ($0.subject, $0.index) }
  }

  /// Enters what an id stands for, from another source than the answer to a request. A name that is
  /// known already stays.
  public mutating func learn(
    _ link: Link, _ subject: Int32, isPattern: Bool, by index: UInt64, at place: Membership
  ) {
    if subject == 0 || Self.name(link, place, in: names) != nil { return }
    put(Entry(index: index, mark: 0, subject: subject, isPattern: isPattern), link, place)
  }

  private static func sessionKey(_ link: Link, _ place: Membership) -> WideKey {
    WideKey(place.session << 8 | UInt64(link.space), link.key)
  }

  /// The key for all sessions of a router or a realm; nil where the id may mean different things in
  /// them.
  private static func routerKey(_ link: Link, _ place: Membership) -> WideKey? {
    let shared: UInt64
    if link.key >= Self.leastRandom {
      shared = UInt64(place.router)
    } else if place.realm != 0 {
      shared = UInt64(place.realm) | 1 << 32
    } else {
      return nil
    }
    return WideKey(1 << 63 | shared << 8 | UInt64(link.space), link.key)
  }

  /// Fills in what a link refers to.
  private mutating func look(
    _ link: Link, _ message: Message, _ joined: inout Joined, _ subject: inout Int32,
    _ isPattern: inout Bool, _ place: Membership
  ) {
    switch link.role {
    case .answers, .continues, .mentions:
      let key = Self.sessionKey(link, place)
      if place.mixing != .none && hasRivals(link, key) { return }
      let found =
        link.role == .answers ? exchanges.removeValue(for: key) : exchanges[key]
      guard let found else { return }
      if subject == 0 {
        (subject, isPattern) = (found.subject, found.isPattern)
        joined.isSubjectInferred = found.isInferred
      }
      if link.role == .answers || message.traits.contains(.endsExchange) {
        joined.ends = found.index
      }
      if link.role == .mentions {
        if joined.ends > 0, place.mixing == .none, let slot = exchanges.slot(of: key) {
          exchanges[slot: slot].isOver = true
        }
        return
      }
      joined.answers = found.index
      let time = message.origin.time
      let began = Instant(nanoseconds: found.mark)
      if time.isKnown && began.isKnown && time >= began {
        joined.latency = time.nanoseconds &- began.nanoseconds
        joined.precision = found.precision
      }
    case .refers, .concerns:
      if subject != 0 { return }
      guard let name = Self.name(link, place, in: names), !name.isPattern || link.role == .concerns
      else {
        if foreseen.count > 0 { lookAhead(link, &joined, &subject, &isPattern, place) }
        return
      }
      (subject, isPattern) = (name.subject, name.isPattern)
    case .shares: share(link, &joined, &subject, place)
    case .delivers:
      if let key = Self.sharedKey(link, place), let sent = shared[key] {
        joined.carries = sent.index
      }
    default: break
    }
  }

  /// Whether several exchanges with the same id are open, so that it is unknown to which one a
  /// message belongs.
  @inline(never)
  private mutating func hasRivals(_ link: Link, _ key: WideKey) -> Bool {
    guard let slot = exchanges.slot(of: key), exchanges[slot: slot].rivals > 0 else { return false }
    if link.role != .answers { return true }
    exchanges[slot: slot].rivals -= 1
    if exchanges[slot: slot].rivals == 0 { _ = exchanges.removeValue(for: key) }
    return true
  }

  @inline(never)
  private func lookAhead(
    _ link: Link, _ joined: inout Joined, _ subject: inout Int32, _ isPattern: inout Bool,
    _ place: Membership
  ) {
    guard Self.name(link, place, in: names) == nil, let key = Self.routerKey(link, place),
      let name = foreseen[key],
      !name.isPattern || link.role == .concerns
    else { return }
    (subject, isPattern) = (name.subject, name.isPattern)
    joined.isSubjectInferred = name.isInferred
  }

  private static func sharedKey(_ link: Link, _ place: Membership) -> WideKey? {
    link.scope == .router ? Self.routerKey(link, place) : Self.sessionKey(link, place)
  }

  /// Joins messages that share a key, over all sessions of a router: a subject that one of them has
  /// is the subject of all.
  private mutating func share(
    _ link: Link, _ joined: inout Joined, _ subject: inout Int32, _ place: Membership
  ) {
    let key =
      (link.scope == .router ? Self.routerKey(link, place) : nil) ?? Self.sessionKey(link, place)
    guard let known = shared[key] else {
      if subject == 0 && joined.answers == 0 { return }
      let fresh = Entry(
        index: joined.index, mark: Int64(bitPattern: joined.answers), subject: subject,
        isPattern: false)
      return shared.set(fresh, for: key)
    }
    if subject == 0 { subject = known.subject }
    if joined.answers == 0 { joined.carries = UInt64(bitPattern: known.mark) }
    if known.subject != 0 && known.mark != 0 { return }
    var fuller = known
    if known.subject == 0 { fuller.subject = subject }
    if known.mark == 0 { fuller.mark = Int64(bitPattern: joined.answers) }
    shared.set(fuller, for: key)
  }

  private static func name(
    _ link: Link, _ place: Membership, in names: borrowing IDTable<Entry>
  ) -> Entry? {
    if let own = names[Self.sessionKey(link, place)] { return own }
    return Self.routerKey(link, place).flatMap { names[$0] }
  }

  /// Remembers what a link declares, for later messages.
  private mutating func store(
    _ link: Link, _ message: Message, _ joined: Joined, _ subject: Int32, _ isPattern: Bool,
    _ place: Membership
  ) {
    switch link.role {
    case .opens where message.traits.contains(.asksNothing): break
    case .opens where place.mixing == .all, .restarts where place.mixing == .all: break
    case .opens, .restarts:
      if exchanges.count >= limits.openExchanges { evictExchanges(before: joined.index) }
      let fresh = Entry(
        index: joined.index, mark: message.origin.time.nanoseconds, subject: subject,
        isPattern: isPattern, isInferred: joined.isSubjectInferred,
        precision: message.origin.precision)
      // Opened again while open: a further part of the same exchange, which began with the first.
      let (slot, isNew) = exchanges.insert(fresh, for: Self.sessionKey(link, place))
      let isAnew = place.mixing == .none && message.traits.contains(.beginsAnew)
      if !isNew && (link.role == .restarts || isAnew || exchanges[slot: slot].isOver) {
        exchanges[slot: slot] = fresh
      }
      if !isNew && link.role == .opens && place.mixing != .none {
        let rivals = exchanges[slot: slot].rivals
        exchanges[slot: slot].rivals = min(max(rivals, 1), .max - 1) + 1
      }
    case .names:
      if subject == 0 { return }
      put(
        Entry(index: joined.index, mark: 0, subject: subject, isPattern: isPattern), link, place)
    case .sends:
      guard let key = Self.sharedKey(link, place) else { return }
      shared.set(
        Entry(index: joined.index, mark: 0, subject: 0, isPattern: false), for: key)
    default: break
    }
  }

  private mutating func put(_ name: Entry, _ link: Link, _ place: Membership) {
    if names.count &+ 2 >= limits.namedIDs { evictNames(before: name.index) }
    if link.role == .names || link.scope == .session { names[Self.sessionKey(link, place)] = name }
    if link.scope == .router, let key = Self.routerKey(link, place) { names[key] = name }
  }

  /// Gives new numbers to all subjects that are referred to.
  public mutating func renumberSubjects(_ number: (Int32) -> Int32) {
    exchanges.updateEach { $0.subject = number($0.subject) }
    names.updateEach { $0.subject = number($0.subject) }
    shared.updateEach { $0.subject = number($0.subject) }
    foreseen.renumber(number)
    collected?.renumber(number)
    relayed.renumber(number)
  }

  /// Forgets the older half of everything, because the subjects leave no room for new ones.
  public mutating func forgetOlderHalf(before index: UInt64) {
    evictExchanges(before: index)
    evictNames(before: index)
    shared.forgetOlder()
  }

  /// Forgets the older half: the longer an exchange is open, the less likely is an answer.
  @inline(never)
  private mutating func evictExchanges(before index: UInt64) {
    var oldest = index
    exchanges.forEach { oldest = min(oldest, $1.index) }
    let middle = oldest + (index - oldest) / 2
    evicted += UInt64(exchanges.removeAll { $1.index <= middle })
  }

  @inline(never)
  private mutating func evictNames(before index: UInt64) {
    var oldest = index
    names.forEach { oldest = min(oldest, $1.index) }
    let middle = oldest + (index - oldest) / 2
    evicted += UInt64(names.removeAll { $1.index <= middle })
  }
}
