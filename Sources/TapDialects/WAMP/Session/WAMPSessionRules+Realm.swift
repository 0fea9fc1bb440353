// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// What shows only where sessions of one realm are seen side by side, or one after the other.
extension WAMPSessionRules {
  /// HELLO.
  mutating func enter(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ listener: any Listener
  ) {
    guard let realms = place.realms, array.count > 1, array[1].kind == .string else { return }
    guard
      let realm = realms.realm(
        bytes[array.string(1)].copied(), of: place.router, host: place.host)
    else {
      return listener.count(.sessionUnwatched, 1)
    }
    self.realm = realm
    // Neither the port nor the session stays the same when a client connects again.
    var name = place.client
    if let details = array.dictionary(2) {
      for key in ["agent", "authid"] as [StaticString] {
        name.append(0)
        if let value = JSON.value(of: key, in: details, bytes), value.content.count <= 256 {
          name += bytes[value.content].copied()
        }
      }
    }
    clientPrint = name.span.bytes.fingerprint
    visitor = realm.arrive(clientPrint, place)
  }

  /// WELCOME.
  mutating func checkIn(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ listener: any Listener
  ) {
    let id = message.second.key
    guard let realm, id > 0, sessionID == 0 else { return }
    sessionID = id
    let isResumed = array.dictionary(2).map { details in
      JSON.value(of: "resumed", in: details, bytes)?.kind == .yes
    }
    if realm.open(id, message.origin) && isResumed != true {
      context.tell(
        .sessionIDReuse, .warning, message,
        "session \(id) is open on another connection of this realm", listener)
    }
  }

  /// The session has ended, or nothing more is known of it.
  ///
  /// - Parameter left: subscriptions left open; nil when that is not known.
  mutating func checkOut(left: Int?, _ origin: Origin, _ listener: any Listener) {
    guard let realm else { return }
    if sessionID > 0 { realm.close(sessionID) }
    if let before = realm.leave(clientPrint, left: left), let left {
      listener.finding(
        context.finding(
          .subscriptionLeftOpen, .warning, origin,
          "this client has left \(left) subscriptions open, its session before \(before), and fewer"
            + " before that: it subscribes once more with each reconnect"))
    }
    bequeath(realm)
    if isSubscriber { realm.subscribers -= 1 }
    isSubscriber = false
    if answered > 0 { realm.hasAnswers = true }
    for publish in requests.all(16) { _ = realm.publications.drop(publish.id, of: visitor) }
    if realm.depart() {
      tellUnheard(realm, origin, listener)
      realm.clear(place.realms?.partialRouters.contains(place.router) ?? false)
    }
    forget()
    (self.realm, sessionID) = (nil, 0)
  }

  /// REGISTER of a procedure that another session has.
  func checkPolicy(
    _ procedure: UInt64, _ policy: UInt8, _ message: inout Message, _ listener: any Listener
  ) {
    guard let other = realm?.policy(of: procedure), other != policy else { return }
    context.tell(
      .invokeMismatch, .warning, message,
      "REGISTER with invoke \(Self.policies[Int(policy)]), but another session has registered the"
        + " procedure with \(Self.policies[Int(other)])", listener)
  }

  static let policies: [StaticString] = [
    "single", "roundrobin", "random", "first", "last", "other",
  ]

  /// SUBSCRIBED: whether the session was there already when somebody published to the topic.
  func checkLateness(_ topic: UInt64, _ message: inout Message, _ listener: any Listener) {
    guard let realm, let opened, opened.time.isKnown, message.origin.time.isKnown else { return }
    let missed = realm.latest(
      topic, notBy: visitor, since: opened.time, until: message.origin.time)
    guard let missed else { return }
    let milliseconds = (message.origin.time.nanoseconds &- missed.nanoseconds) / 1_000_000
    var found = context.finding(
      .subscribedAfterPublish, .note, message.origin, "subscription \(message.second.key)",
      about: message.second,
      " was granted \(milliseconds) ms after another session had published to the topic: this"
        + " session was open, but missed it")
    found.isAboutLastMessage = true
    listener.finding(found)
  }
}
