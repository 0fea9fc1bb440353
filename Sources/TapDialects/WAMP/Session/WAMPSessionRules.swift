// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Watches one connection for what its messages break together: the order of a session, answers
/// that nobody asked for, ids that nobody gave (wamp-proto, "Protocol Violations").
///
/// What is in its tables was seen. What is not was never there only while `context.knowsAll`.
struct WAMPSessionRules {
  /// How far the session has come.
  enum Stage { case none, greeted, challenged, proved, open, ended }

  /// What is told once for a session.
  struct Told: OptionSet {
    let rawValue: UInt8
    static let beforeWelcome = Told(rawValue: 1)
    static let clientAfterEnd = Told(rawValue: 2)
    static let reuse = Told(rawValue: 4)
    static let ownEvent = Told(rawValue: 8)
    static let partOptions = Told(rawValue: 16)
    static let routerAfterEnd = Told(rawValue: 32)
  }

  // What each message asks for stands together, first: it is in few lines of the cache.

  var stage = Stage.none
  /// Which session it is, and how much of it was seen.
  var context: WAMPSessionContext
  /// Who has said GOODBYE.
  var clientLeft = false
  var routerLeft = false
  var pendingFindings = WAMPPendingFindings()
  var counter = WAMPCounter()
  var requests = WAMPRequests()
  var grants = WAMPGrants()
  /// Events that came lately.
  var events = WAMPRecentSet()
  /// What other sessions of its realm show of it.
  var realmSession = WAMPRealmSession()
  /// Entries of the tables that this session may have; more is taken from what all share.
  private var room: Int
  let shared: WAMPShared
  /// Events of subscriptions that may yet be granted.
  var early = ContiguousArray<(subscription: UInt64, origin: Origin)>()
  /// PUBLISH so far, and those that asked for no acknowledgement, of which the latest ids.
  var publishCount = 0
  var unacknowledgedCount = 0
  var unacknowledged = ContiguousArray<UInt64>()
  /// The fingerprint of options of a PUBLISH that choose no receivers.
  var plainOptions: UInt64?
  /// Publications of the session itself that it should not receive.
  var ownPublications = ContiguousArray<UInt64>()
  var told: Told = []
  var features = WAMPFeatureRules()
  var authentication = WAMPAuthenticationRules()
  /// The ABORT that ended the session, and the WELCOME that opened it.
  @Apart var abort: Origin?
  var opened: Origin?
  let place: WAMPPlace
  var limits: Limits { _read { yield shared.limits } }

  init(knowsAll: Bool, hasGaps: Bool = false, at place: WAMPPlace, _ shared: WAMPShared) {
    context = WAMPSessionContext(knowsAll: knowsAll)
    context.hasGaps = hasGaps
    (self.place, self.shared, room) = (place, shared, shared.limits.sessionEntries)
  }

  /// A message that was told and has no fault of form.
  @inline(__always)
  mutating func look(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ listener: any Listener
  ) {
    // Pasted text does not say who speaks, and is not all that was said.
    if message.origin.direction == .unknown { return }
    let code = array.code!
    let isQuiet = stage == .open && !clientLeft && !routerLeft && pendingFindings.isEmpty
    if code < WAMPCode.error {
      return talk(code, &array, bytes, &message, listener)
    }
    if !isQuiet && !mayGoOn(code, &message, listener) { return }
    route(code, &array, bytes, &message, listener)
  }

  /// A message that could not be read may have been anything.
  mutating func miss() {
    (context.knowsAll, context.hasGaps) = (false, true)
    if requests.count > 0 || grants.count > 0 { forget() }
    pendingFindings.forget()
    early.removeAll()
    features.miss()
    authentication = WAMPAuthenticationRules()
    realmSession.miss()
  }

  /// Before an entry is added to a table: takes more room, or watches no further.
  @inline(__always)
  mutating func makeRoom(_ listener: any Listener) {
    if requests.count &+ grants.count >= room { makeMoreRoom(listener) }
  }

  @inline(never)
  private mutating func makeMoreRoom(_ listener: any Listener) {
    // As much again, so that tables of any size ask seldom.
    if limits.watchedEntries.take(room) {
      room *= 2
    } else {
      forget()
      // What was forgotten must not be called unknown.
      if context.knowsAll { listener.count(.sessionUnwatched, 1) }
      context.knowsAll = false
      realmSession.unwatch()
    }
  }

  /// Forgets what the tables hold, and gives their room back.
  mutating func forget() {
    if realmSession.isCompared {
      for uri in grants.registered { realmSession.unregister(uri) }
    }
    requests.forget()
    grants.forget()
    limits.watchedEntries.give(room - limits.sessionEntries)
    room = limits.sessionEntries
  }

  @inline(__always)
  private mutating func route(
    _ code: UInt64, _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ listener: any Listener
  ) {
    let isUp = message.origin.direction == .toServer
    switch code {
    case WAMPCode.publish, WAMPCode.subscribe, WAMPCode.unsubscribe, WAMPCode.call,
      WAMPCode.register, WAMPCode.unregister:
      isUp
        ? ask(code, &array, bytes, &message, listener) : tellWrongDirection(&message, listener)
    case WAMPCode.published, WAMPCode.subscribed, WAMPCode.unsubscribed, WAMPCode.registered,
      WAMPCode.unregistered:
      isUp ? tellWrongDirection(&message, listener) : acknowledge(code, &message, listener)
    case WAMPCode.event:
      isUp ? tellWrongDirection(&message, listener) : event(&array, bytes, &message, listener)
    case WAMPCode.result:
      isUp ? tellWrongDirection(&message, listener) : answer(WAMPSpace.call, &message, listener)
    case WAMPCode.yield:
      isUp
        ? answer(WAMPSpace.invocation, &message, listener) : tellWrongDirection(&message, listener)
    case WAMPCode.invocation:
      isUp ? tellWrongDirection(&message, listener) : invoke(&array, bytes, &message, listener)
    case WAMPCode.cancel:
      isUp ? cancel(&array, bytes, &message, listener) : tellWrongDirection(&message, listener)
    case WAMPCode.interrupt:
      isUp ? tellWrongDirection(&message, listener) : interrupt(&array, bytes, &message, listener)
    case WAMPCode.eventReceived: if !isUp { tellWrongDirection(&message, listener) }
    case WAMPCode.error: refuse(&array, bytes, &message, listener)
    default: break
    }
  }

  /// Tells it unless a message of the other side turns up that explains it.
  @inline(never)
  mutating func suspect(
    _ code: Finding.Code, _ severity: Finding.Severity, _ message: borrowing Message,
    _ text: String, unless cure: WAMPPendingFinding.Cure, _ listener: any Listener
  ) {
    pendingFindings.add(
      WAMPPendingFinding(
        finding: context.finding(code, severity, message.origin, text), cure: cure),
      most: limits.findingsPerCode, listener)
  }

  /// A message that its sender never sends.
  @inline(never)
  private func tellWrongDirection(_ message: inout Message, _ listener: any Listener) {
    // Of a connection whose beginning nobody has, the sides are a guess.
    if !context.knowsAll { return }
    let sender = message.origin.direction == .toServer ? "a client" : "a router"
    context.tell(
      .wrongDirection, .error, message, "\(sender) does not send \(message.name)", listener)
  }
}
