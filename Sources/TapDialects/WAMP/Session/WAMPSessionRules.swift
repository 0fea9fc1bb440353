// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapSessions
import TapTraffic

/// Checks the messages of one connection against each other: the order of a session, answers
/// without a request, ids that were never granted (wamp-proto, "Protocol Violations").
///
/// An entry in the tables was captured. A missing entry proves that something was not sent only
/// while `context.knowsAll`.
struct WAMPSessionRules {
  // Fields that each message needs come first, to share few cache lines.

  var order = WAMPSessionOrder()
  /// The session's number, and how much of it was captured.
  var context: WAMPSessionContext
  var pendingFindings: WAMPPendingFindings
  var requestRules = WAMPRequestRules()
  var grantRules: WAMPGrantRules
  /// Comparison with other sessions of its realm.
  var realmSession = WAMPRealmSession()
  /// How many table entries this session may have; more is taken from the shared allowance.
  private var room: Int
  let shared: WAMPShared
  var features = WAMPFeatureRules()
  var authentication = WAMPAuthenticationRules()
  let place: WAMPPlace
  private var limits: Limits { _read { yield shared.limits } }

  init(knowsAll: Bool, hasGaps: Bool = false, at place: WAMPPlace, _ shared: WAMPShared) {
    context = WAMPSessionContext(knowsAll: knowsAll)
    context.hasGaps = hasGaps
    (self.place, self.shared, room) = (place, shared, shared.limits.sessionEntries)
    pendingFindings = WAMPPendingFindings(most: shared.limits.findingsPerCode)
    grantRules = WAMPGrantRules(limits: shared.limits)
  }

  /// Checks a message that was reported and has no fault of form.
  @inline(__always)
  mutating func look(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ listener: any Listener
  ) {
    // Pasted text does not show the sender, and may not be the whole session.
    if message.origin.direction == .unknown { return }
    let code = array.code!
    let isQuiet = order.isOpen && pendingFindings.isEmpty
    if code < WAMPCode.error {
      return talk(code, &array, bytes, &message, listener)
    }
    if !isQuiet && !checkOrder(code, &message, listener) { return }
    route(code, &array, bytes, &message, listener)
  }

  /// A message that could not be read may have been anything.
  mutating func miss() {
    (context.knowsAll, context.hasGaps) = (false, true)
    if entries > 0 { forget() }
    pendingFindings.forget()
    grantRules.miss()
    features.miss()
    authentication = WAMPAuthenticationRules()
    realmSession.miss()
    // The HELLO of a session may be lost, so that its realm is not known.
    if !realmSession.isCompared, let router = place.router { router.realms.miss(router.name) }
  }

  /// The number of table entries.
  @inline(__always) private var entries: Int {
    requestRules.requests.count &+ grantRules.grants.count
  }

  /// Called before an entry is added: takes more room, or stops watching.
  @inline(__always)
  mutating func makeRoom(_ listener: any Listener) {
    if entries >= room { makeMoreRoom(listener) }
  }

  @inline(never)
  private mutating func makeMoreRoom(_ listener: any Listener) {
    // Double the room, so that this is rare at any size.
    if limits.watchedEntries.take(room) {
      room *= 2
    } else {
      forget()
      // Forgotten entries must not be reported as unknown.
      if context.knowsAll { listener.count(.sessionUnwatched, 1) }
      context.knowsAll = false
      realmSession.unwatch()
    }
  }

  /// Empties the tables, and returns their room to the shared allowance.
  mutating func forget() {
    requestRules.requests.forget()
    grantRules.forget(realmSession)
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
        ? ask(code, &array, bytes, &message, listener) : reportWrongDirection(&message, listener)
    case WAMPCode.published, WAMPCode.subscribed, WAMPCode.unsubscribed, WAMPCode.registered,
      WAMPCode.unregistered:
      isUp ? reportWrongDirection(&message, listener) : acknowledge(code, &message, listener)
    case WAMPCode.event:
      isUp ? reportWrongDirection(&message, listener) : event(&array, bytes, &message, listener)
    case WAMPCode.result:
      isUp ? reportWrongDirection(&message, listener) : answer(WAMPSpace.call, &message, listener)
    case WAMPCode.yield:
      isUp
        ? answer(WAMPSpace.invocation, &message, listener)
        : reportWrongDirection(&message, listener)
    case WAMPCode.invocation:
      isUp ? reportWrongDirection(&message, listener) : invoke(&array, bytes, &message, listener)
    case WAMPCode.cancel:
      isUp
        ? requestRules.cancel(&array, bytes, &message, context, listener)
        : reportWrongDirection(&message, listener)
    case WAMPCode.interrupt:
      isUp
        ? reportWrongDirection(&message, listener)
        : requestRules.interrupt(&message, context, listener)
    case WAMPCode.eventReceived: if !isUp { reportWrongDirection(&message, listener) }
    case WAMPCode.error: refuse(&array, bytes, &message, listener)
    default: break
    }
  }

  /// A message type that this side never sends.
  @inline(never)
  private func reportWrongDirection(_ message: inout Message, _ listener: any Listener) {
    // Without the beginning of the connection, it is only a guess which side is the client.
    if !context.knowsAll { return }
    let sender = message.origin.direction == .toServer ? "a client" : "a router"
    context.report(
      .wrongDirection, .error, message, "\(sender) does not send \(message.name)", listener)
  }
}
