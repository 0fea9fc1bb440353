// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Both legs of a publication, where both sessions were captured.
extension WAMPSessionRules {
  /// PUBLISH while other sessions of the realm are there.
  @inline(never)
  mutating func send(
    _ topic: UInt64, isAcknowledged: Bool, _ bytes: RawSpan, _ message: inout Message,
    _ realm: WAMPRealm, _ listener: any Listener
  ) {
    if !realm.isPartial {
      let others = realm.subscribers - (isSubscriber ? 1 : 0)
      let isKept = realm.receivers.publish(
        topic, bytes[message.subject], by: visitor, sessionID, isAcknowledged: isAcknowledged,
        isWatched: others > 0 && context.knowsAll, at: message.origin)
      if !isKept { lose(realm, listener) }
    }
    guard isAcknowledged else { return }
    guard realm.makeRoom() else { return lose(realm, listener) }
    sentCount &+= 1
    realm.publications.send(
      message.first.key,
      WAMPPublications.Sent(
        publisher: visitor, serial: sentCount, topic: topic,
        payload: context.isInexact
          ? .unknown : WAMPPayload(message, bytes, keptIn: realm.texts)))
  }

  /// No room for what would have to be known of the realm.
  private func lose(_ realm: WAMPRealm, _ listener: any Listener) {
    if !realm.isPartial { listener.count(.sessionUnwatched, 1) }
    realm.isPartial = true
  }

  /// ERROR of a PUBLISH.
  func unpublish(_ request: UInt64) {
    guard let realm, let sent = realm.publications.drop(request, of: visitor) else { return }
    realm.receivers.refuse(sent.topic, by: visitor)
  }

  /// PUBLISHED.
  @inline(never)
  mutating func published(_ message: inout Message, _ realm: WAMPRealm, _ listener: any Listener) {
    let (forgotten, early) = realm.publications.acknowledge(
      message.first.key, of: visitor, as: message.second.key, realm.texts)
    if let forgotten, !forgotten.isHeard { realm.receivers.forget(forgotten) }
    for (came, outcome) in early { tell(outcome, came, realm, isLast: false, listener) }
  }

  /// EVENT.
  @inline(never)
  mutating func receive(
    _ grant: WAMPGrants.Grant, isReplayed: Bool, _ details: ByteRange?, _ bytes: RawSpan,
    _ message: inout Message, _ realm: WAMPRealm, _ listener: any Listener
  ) {
    let isPattern = grant.traits.contains(.isPattern)
    if realm.joinsEvents {
      cameCount &+= 1
      let subscription = message.first.key
      var came = WAMPPublications.Came(
        publication: message.second.key, subscriber: visitor,
        // Through two subscriptions that overlap, each EVENT comes twice.
        lane: grants.hasPatterns ? subscription &* 0x9E37_79B9_7F4A_7C15 : 0, number: cameCount,
        subscription: subscription, session: context.session, origin: message.origin,
        isReplayed: isReplayed || !context.knowsAll)
      // A router may send an EVENT without its payload where that is too large.
      let isWhole =
        !context.isInexact
        && details.map { JSON.value(of: "payload_limit_exceeded", in: $0, bytes) == nil } ?? true
      if let sent = realm.publications.payload(of: came.publication),
        let outcome = realm.publications.join(
          came, isOther: isWhole && sent.differs(from: message, bytes, realm.texts))
      {
        return tell(outcome, came, realm, isLast: true, listener)
      }
      if realm.publications.isAwaiting {
        if isWhole && realm.publications.comparesEarly {
          came.payload = WAMPPayload(message, bytes, keptIn: realm.texts)
        }
        realm.publications.keep(came)
      }
      if !isReplayed && executes(grant, bytes, &message, realm, listener) { return }
    }
    if grant.traits.contains(.isHeard) && !isPattern && !realm.joinsEvents { return }
    let topic = isPattern ? bytes[message.subject].fingerprint : grant.uri
    let isMeta = grant.traits.contains(.isMeta) || bytes[message.subject].starts(with: "wamp.")
    if isReplayed { realm.receivers.replay(topic) }
    if realm.receivers.hear(topic) {
      realm.showsOthers = true
    } else if !isMeta && !isReplayed {
      // Somebody has published it whom nobody captured.
      realm.isPartial = true
    }
  }

  @inline(__always)
  private mutating func tell(
    _ outcome: WAMPPublications.Outcome, _ came: WAMPPublications.Came, _ realm: WAMPRealm,
    isLast: Bool, _ listener: any Listener
  ) {
    if outcome.sent.publisher != came.subscriber { realm.showsOthers = true }
    if outcome.isFirst { realm.receivers.hear(outcome.sent) }
    if outcome.violation != nil || outcome.isChanged {
      report(outcome, came, isLast: isLast, listener)
    }
  }

  @inline(never)
  private mutating func report(
    _ outcome: WAMPPublications.Outcome, _ came: WAMPPublications.Came, isLast: Bool,
    _ listener: any Listener
  ) {
    var found = context.finding(
      .orderViolation, .error, came.origin, "EVENT of subscription \(came.subscription)",
      about: Link(
        .names, "subscription", came.subscription, space: WAMPLinks.Space.subscription,
        scope: .router))
    (found.session, found.isAboutLastMessage) = (came.session, isLast)
    if let violation = outcome.violation {
      found.remainder =
        ": publication \(violation.late) came after publication \(violation.early), but the same"
        + " session had published it before that"
      listener.finding(found)
    }
    if outcome.isChanged {
      (found.code, found.severity) = (.payloadChanged, .warning)
      found.remainder =
        " has other arguments than the PUBLISH of publication \(came.publication)"
      listener.finding(found)
    }
  }

  /// Whether an EVENT would have come in the meantime.
  private static func isLong(from published: Instant, to end: Instant) -> Bool {
    published.isKnown && end.isKnown && end.nanoseconds &- published.nanoseconds > 1_000_000_000
  }

  /// All sessions of the realm have ended.
  func tellUnheard(_ realm: WAMPRealm, _ end: Origin, _ listener: any Listener) {
    // Calls that were answered, but by none of those who were captured.
    let hasOthers = realm.hasAnswers && !realm.hasCallees
    guard !realm.isPartial, !realm.hasSibling, realm.showsOthers, !hasOthers else { return }
    for silence in realm.receivers.end() {
      let count = silence.count
      // What was on its way when the evidence ended may have come.
      if realm.isCut && !Self.isLong(from: count.origin.time, to: end.time) { continue }
      let all = Int(count.acknowledged) + Int(count.unacknowledged)
      let topic = String(decoding: silence.topic, as: Unicode.UTF8.self)
      let share = silence.unheard == all ? "\(all)" : "\(silence.unheard) of \(all)"
      var origin = count.origin
      // Of the realm: the connection has ended, and its number may be another's.
      origin.flow = 0
      listener.finding(
        Finding(
          .publishNoReceiver, .warning, origin,
          "session \(count.id) published to \(topic), but \(share) PUBLISH brought no EVENT to any"
            + " session of this realm that was captured"))
    }
  }
}
