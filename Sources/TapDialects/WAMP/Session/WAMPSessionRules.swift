// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Watches one connection for what its messages break together: the order of a session, answers
/// without a request, ids that were not given (wamp-proto, "Protocol Violations").
///
/// What is in its tables was seen. What is not was never there only while `context.knowsAll`.
struct WAMPSessionRules {
  // What each message asks for stands together, first: it is in few lines of the cache.

  var order = WAMPSessionOrder()
  /// Which session it is, and how much of it was seen.
  var context: WAMPSessionContext
  var pendingFindings: WAMPPendingFindings
  var requestRules = WAMPRequestRules()
  var grantRules: WAMPGrantRules
  /// What other sessions of its realm show of it.
  var realmSession = WAMPRealmSession()
  /// Entries of the tables that this session may have; more is taken from what all share.
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
    pendingFindings = WAMPPendingFindings(limits: shared.limits)
    grantRules = WAMPGrantRules(limits: shared.limits)
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
    let isQuiet = order.isOpen && pendingFindings.isEmpty
    if code < WAMPCode.error {
      return talk(code, &array, bytes, &message, listener)
    }
    if !isQuiet && !mayGoOn(code, &message, listener) { return }
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
  }

  /// Entries of the tables.
  @inline(__always) private var entries: Int {
    requestRules.requests.count &+ grantRules.grants.count
  }

  /// Before an entry is added to a table: takes more room, or watches no further.
  @inline(__always)
  mutating func makeRoom(_ listener: any Listener) {
    if entries >= room { makeMoreRoom(listener) }
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
      isUp
        ? requestRules.cancel(&array, bytes, &message, context, listener)
        : tellWrongDirection(&message, listener)
    case WAMPCode.interrupt:
      isUp
        ? tellWrongDirection(&message, listener)
        : requestRules.interrupt(&array, bytes, &message, context, listener)
    case WAMPCode.eventReceived: if !isUp { tellWrongDirection(&message, listener) }
    case WAMPCode.error: refuse(&array, bytes, &message, listener)
    default: break
    }
  }

  /// A message that its sender never sends.
  @inline(never)
  private func tellWrongDirection(_ message: inout Message, _ listener: any Listener) {
    // Of a connection whose beginning was not captured, the sides are a guess.
    if !context.knowsAll { return }
    let sender = message.origin.direction == .toServer ? "a client" : "a router"
    context.tell(
      .wrongDirection, .error, message, "\(sender) does not send \(message.name)", listener)
  }
}
