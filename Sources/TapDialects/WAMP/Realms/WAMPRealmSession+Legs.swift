// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Both legs of a publication, where both sessions were captured.
extension WAMPRealmSession {
  @inline(__always)
  mutating func publish(
    _ topic: UInt64, isAcknowledged: Bool, to audience: ByteRange?, _ bytes: RawSpan,
    _ message: inout Message, _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    guard let realm else { return }
    realm.publish(topic, by: visitor, at: message.origin.time)
    if realm.present > 1 {
      send(
        topic, isAcknowledged: isAcknowledged, to: audience, bytes, &message, realm, context,
        listener)
    }
  }

  /// PUBLISH while the realm has other sessions.
  @inline(never)
  private mutating func send(
    _ topic: UInt64, isAcknowledged: Bool, to audience: ByteRange?, _ bytes: RawSpan,
    _ message: inout Message, _ realm: WAMPRealm, _ context: WAMPSessionContext,
    _ listener: any Listener
  ) {
    if !realm.isPartial {
      let others = realm.subscribers - (isSubscriber ? 1 : 0)
      let isKept = realm.receivers.publish(
        topic, bytes[message.subject], by: visitor, id,
        isWatched: others > 0 && context.knowsAll, at: message.origin)
      if !isKept { Self.lose(realm, listener) }
    }
    guard isAcknowledged else { return }
    guard realm.makeRoom() else { return Self.lose(realm, listener) }
    sentCount &+= 1
    realm.publications.send(
      message.first.key,
      WAMPPublications.Sent(
        source: WAMPReceivers.Source(publisher: visitor, topic: topic), serial: sentCount,
        payload: context.isInexact
          ? .unknown : WAMPPayload(message, bytes, keptIn: realm.texts)),
      to: audience.flatMap { WAMPAudience($0, bytes) })
  }

  /// There is no room to watch all of the realm.
  private static func lose(_ realm: WAMPRealm, _ listener: any Listener) {
    if !realm.isPartial { listener.count(.sessionUnwatched, 1) }
    realm.isPartial = true
  }

  /// ERROR of a PUBLISH.
  func unpublish(_ request: UInt64) {
    guard let realm, let source = realm.publications.drop(request, of: visitor) else { return }
    realm.receivers.refuse(source)
  }

  @inline(__always)
  func published(_ message: inout Message, _ listener: any Listener) {
    guard let realm, realm.publications.isWatching else { return }
    Self.join(message.first.key, of: visitor, as: message.second.key, realm, listener)
  }

  @inline(never)
  private static func join(
    _ request: UInt64, of visitor: UInt64, as publication: UInt64, _ realm: WAMPRealm,
    _ listener: any Listener
  ) {
    let (source, unheard, early) = realm.publications.acknowledge(
      request, of: visitor, as: publication, realm.texts)
    if let source { realm.receivers.acknowledge(source) }
    if let unheard { realm.receivers.forget(unheard) }
    for (event, outcome) in early {
      note(outcome, of: event.came.subscriber, realm)
      if outcome.isFault { report(outcome, event, isLast: false, listener) }
    }
  }

  /// EVENT.
  ///
  /// - Parameter hasPatterns: the session's subscriptions may overlap.
  @inline(never)
  mutating func receive(
    _ grant: WAMPGrants.Grant, isReplayed: Bool, hasPatterns: Bool, _ details: ByteRange?,
    _ bytes: RawSpan, _ message: inout Message, _ context: WAMPSessionContext,
    _ listener: any Listener
  ) {
    guard let realm else { return }
    let isPattern = grant.traits.contains(.isPattern)
    if realm.joinsEvents {
      cameCount &+= 1
      let subscription = message.first.key
      let came = WAMPPublications.Came(
        publication: message.second.key, subscriber: visitor, session: id,
        // Two overlapping subscriptions deliver each publication twice, so each has an order of its
        // own.
        lane: hasPatterns ? subscription &* 0x9E37_79B9_7F4A_7C15 : 0, number: cameCount,
        subscription: subscription, isReplayed: isReplayed || !context.knowsAll)
      // A router may send an EVENT without its payload when that is too large.
      let isWhole =
        !context.isInexact
        && details.map { JSON.value(of: "payload_limit_exceeded", in: $0, bytes) == nil } ?? true
      if let slot = realm.publications.slot(of: came.publication) {
        let sent = realm.publications.payload(at: slot)
        let isOther = isWhole && sent.differs(from: message, bytes, realm.texts)
        let outcome = realm.publications.join(came, at: slot, isOther: isOther)
        Self.note(outcome, of: visitor, realm)
        if outcome.isFault {
          let event = WAMPPublications.Event(
            came: came, session: context.session, origin: message.origin)
          Self.report(outcome, event, isLast: true, listener)
        }
        return
      }
      // Its PUBLISH may come behind it, where packets were captured out of order.
      var event = WAMPPublications.Event(
        came: came, session: context.session, origin: message.origin)
      if realm.publications.isAwaiting && isWhole && realm.publications.comparesEarly {
        event.payload = WAMPPayload(message, bytes, keptIn: realm.texts)
      }
      realm.publications.keep(event)
      if !isReplayed && Self.executes(grant, bytes, &message, realm, context, listener) { return }
    }
    if grant.traits.contains(.isHeard) && !isPattern && !realm.joinsEvents { return }
    let topic = isPattern ? bytes[message.subject].fingerprint : grant.uri
    let isMeta = grant.traits.contains(.isMeta) || bytes[message.subject].starts(with: "wamp.")
    if isReplayed { realm.receivers.replay(topic) }
    if realm.receivers.hear(topic) {
      realm.showsOthers = true
    } else if !isMeta && !isReplayed {
      // Its publisher was not captured.
      realm.isPartial = true
    }
  }

  /// An EVENT and its PUBLISH were joined.
  @inline(__always)
  private static func note(
    _ outcome: WAMPPublications.Outcome, of subscriber: UInt64, _ realm: WAMPRealm
  ) {
    if outcome.source.publisher != subscriber { realm.showsOthers = true }
    if outcome.isFirst { realm.receivers.hear(outcome.source) }
  }

  @inline(never)
  private static func report(
    _ outcome: WAMPPublications.Outcome, _ event: WAMPPublications.Event, isLast: Bool,
    _ listener: any Listener
  ) {
    let came = event.came
    var found = Finding(
      .orderViolation, .error, event.origin, "EVENT of subscription \(came.subscription)",
      isAboutLastMessage: isLast)
    found.about = Link(
      .names, "subscription", came.subscription, space: WAMPSpace.subscription, scope: .router)
    found.session = event.session
    if let violation = outcome.violation {
      found.remainder =
        ": publication \(violation.late) came after publication \(violation.early), but the same"
        + " session had published it before that"
      listener.finding(found)
    }
    if let option = outcome.exclusion {
      found.code = .eventExcluded
      found.remainder =
        ": \(option) of the PUBLISH of publication \(came.publication) keeps session"
        + " \(came.session) from receiving it"
      listener.finding(found)
    }
    if outcome.isChanged {
      (found.code, found.severity) = (.payloadChanged, .warning)
      found.remainder =
        " has other arguments than the PUBLISH of publication \(came.publication)"
      listener.finding(found)
    }
  }

  /// Whether an EVENT without a known PUBLISH is the testament of an ended session. Topic and
  /// arguments must match, as there is no common id.
  private static func executes(
    _ grant: WAMPGrants.Grant, _ bytes: RawSpan, _ message: inout Message, _ realm: WAMPRealm,
    _ context: WAMPSessionContext, _ listener: any Listener
  ) -> Bool {
    let topic = message.subject.isEmpty ? grant.uri : bytes[message.subject].fingerprint
    let publication = message.second.key
    for testament in realm.testaments
    where testament.topic == topic && testament.payload.isSame(as: message, bytes) {
      context.report(
        .testamentPublished, .note, message, "publication \(publication)", about: message.first,
        remainder:
          " is the testament of session \(testament.session), which has ended: its topic and"
          + " arguments are those of CALL request \(testament.request) there", listener)
      return true
    }
    return false
  }

  /// Whether there was time for an EVENT: more than one second.
  private static func isLong(from published: Instant, to end: Instant) -> Bool {
    published.isKnown && end.isKnown && end.nanoseconds &- published.nanoseconds > 1_000_000_000
  }

  /// All sessions of the realm have ended: reports publications that nobody received.
  static func reportUnheard(_ realm: WAMPRealm, _ end: Origin, _ listener: any Listener) {
    // Calls got results, but no captured session is a callee: other sessions exist.
    let hasOthers = realm.hasAnswers && !realm.hasCallees
    guard !realm.isPartial, !realm.hasSibling, realm.showsOthers, !hasOthers else { return }
    for silence in realm.receivers.end() {
      let count = silence.count
      // The EVENT may have come after the end of the capture.
      if realm.isCut && !isLong(from: count.origin.time, to: end.time) { continue }
      let all = Int(count.acknowledged) + Int(count.unacknowledged)
      let topic = String(decoding: silence.topic, as: Unicode.UTF8.self)
      let share = silence.unheard == all ? "\(all)" : "\(silence.unheard) of \(all)"
      var origin = count.origin
      // Reported for the realm: the connection has ended, and its number may have been reused.
      origin.flow = 0
      listener.finding(
        .publishNoReceiver, .warning, origin,
        "session \(count.id) published to \(topic), but \(share) PUBLISH brought no EVENT to any"
          + " session of this realm that was captured")
    }
  }
}
