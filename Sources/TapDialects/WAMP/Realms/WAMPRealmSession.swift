// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// One session in its realm: reports what shows only when several sessions of one realm are
/// compared, at the same time or one after the other.
struct WAMPRealmSession {
  /// The realm, while sessions are compared.
  private(set) var realm: WAMPRealm?
  /// Identify the client and this session in the realm.
  private var clientPrint: UInt64 = 0
  private(set) var visitor: UInt64 = 0
  /// The id of the session, or 0.
  private(set) var id: UInt64 = 0
  /// The WELCOME that opened it.
  private(set) var opened: Origin?
  /// How many acknowledged publications the session has sent, and how many of its EVENTs were
  /// compared with other sessions.
  var sentCount: UInt64 = 0
  var cameCount: UInt64 = 0
  /// A call of this session got its result.
  private var hasAnswers = false
  /// It has subscribed to something.
  private(set) var isSubscriber = false
  /// What the router will publish when the session has ended.
  private var testaments = WAMPTestaments()

  var isCompared: Bool { realm != nil }
  /// Whether an EVENT may belong to a publication or testament known in the realm.
  var joinsEvents: Bool { realm?.joinsEvents == true }

  // MARK: - From HELLO to the end

  mutating func hello(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ place: WAMPPlace, _ listener: any Listener
  ) {
    guard let router = place.router, array.count > 1, array[1].kind == .string else { return }
    guard let realm = router.realm(bytes[array.string(1)]) else {
      return listener.count(.sessionUnwatched, 1)
    }
    self.realm = realm
    // Port and session id change when a client reconnects; address, agent and authid do not.
    clientPrint = place.client.span.bytes.fingerprint
    if array.dictionary(2) != nil {
      clientPrint = Self.fingerprint("agent", &array, bytes, behind: clientPrint)
      clientPrint = Self.fingerprint("authid", &array, bytes, behind: clientPrint)
    }
    visitor = realm.arrive(clientPrint, place)
  }

  private static func fingerprint(
    _ key: StaticString, _ array: inout WAMPArray, _ bytes: RawSpan, behind others: UInt64
  ) -> UInt64 {
    let value = array.details.value(of: key, bytes)?.content ?? ByteRange()
    return bytes[value.count <= 256 ? value : ByteRange()].fingerprint(behind: others)
  }

  mutating func welcome(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    let id = message.second.key
    opened = message.origin
    guard let realm, id > 0, self.id == 0 else { return }
    self.id = id
    let isResumed = array.details.value(of: "resumed", bytes)?.kind == .yes
    if realm.open(id, message.origin) && !isResumed {
      context.report(
        .sessionIDReuse, .warning, message,
        "session \(id) is open on another connection of this realm", listener)
    }
  }

  /// The session has ended, or nothing more is known of it.
  ///
  /// - Parameters:
  ///   - left: subscriptions left open; nil when that is not known.
  ///   - unanswered: ids of PUBLISH requests without an answer.
  mutating func end(
    left: Int?, unanswered: [UInt64], _ place: WAMPPlace, _ origin: Origin,
    _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    guard let realm else { return }
    if id > 0 { realm.close(id) }
    if let before = realm.leave(clientPrint, left: left), let left {
      listener.finding(
        context.finding(
          .subscriptionLeftOpen, .warning, origin,
          "this client has left \(left) subscriptions open, its session before \(before), and fewer"
            + " before that: it subscribes once more with each reconnect"))
    }
    testaments.move(to: realm, from: id)
    if isSubscriber { realm.subscribers -= 1 }
    isSubscriber = false
    if hasAnswers { realm.hasAnswers = true }
    for request in unanswered { _ = realm.publications.drop(request, of: visitor) }
    if realm.depart() {
      Self.reportUnheard(realm, origin, listener)
      realm.clear(place.router.map { $0.realms.partialRouters.contains($0.name) } ?? false)
    }
    (self.realm, id) = (nil, 0)
  }

  // MARK: - What may be missing

  /// A message of the session was missed; it may have been its end.
  mutating func miss() {
    if id > 0 { realm?.close(id) }
    id = 0
    realm?.isPartial = true
  }

  /// The session is not watched any further.
  func unwatch() { realm?.isPartial = true }

  /// The capture ends before the session does.
  func cut() { realm?.isCut = true }

  // MARK: - Subscriptions, registrations and calls

  /// SUBSCRIBED.
  mutating func subscribe() {
    guard let realm, !isSubscriber else { return }
    isSubscriber = true
    realm.subscribers += 1
  }

  /// SUBSCRIBED: whether the session was open already when the topic was published to.
  func checkLateness(
    _ topic: UInt64, _ message: inout Message,
    _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    guard let realm, let opened, opened.time.isKnown, message.origin.time.isKnown else { return }
    let missed = realm.latest(
      topic, notBy: visitor, since: opened.time, until: message.origin.time)
    guard let missed else { return }
    let milliseconds = (message.origin.time.nanoseconds &- missed.nanoseconds) / 1_000_000
    context.report(
      .subscribedAfterPublish, .note, message, "subscription \(message.second.key)",
      about: message.second,
      remainder:
        " was granted \(milliseconds) ms after another session had published to the topic: this"
        + " session was open, but missed it", listener)
  }

  /// REGISTER of a procedure that another session has registered.
  func checkPolicy(
    _ procedure: UInt64, _ policy: UInt8, _ message: inout Message,
    _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    guard let other = realm?.policy(of: procedure), other != policy else { return }
    let policies = WAMPRequests.policies
    context.report(
      .invokeMismatch, .warning, message,
      "REGISTER with invoke \(policies[Int(policy)]), but another session has registered the"
        + " procedure with \(policies[Int(other)])", listener)
  }

  /// REGISTERED.
  ///
  /// - Parameter isNew: the session did not hold the registration before.
  func register(_ procedure: UInt64, _ policy: UInt8, isNew: Bool) {
    if isNew { realm?.register(procedure, policy) }
    realm?.hasCallees = true
  }

  /// UNREGISTERED, or nothing more is known of it.
  func unregister(_ procedure: UInt64) { realm?.unregister(procedure) }

  /// The last RESULT of a CALL.
  mutating func answer() { hasAnswers = true }

  /// CALL of one of the router's own procedures, which may set a testament.
  @inline(never)
  mutating func callRouter(
    _ bytes: RawSpan, _ message: inout Message, _ context: WAMPSessionContext
  ) {
    if realm != nil { testaments.call(bytes, &message, isInexact: context.isInexact) }
  }

  /// ERROR of a CALL.
  mutating func uncall(_ request: UInt64) { testaments.drop(request) }
}
