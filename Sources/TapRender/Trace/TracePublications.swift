// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// The publications that are kept, with what came of each.
struct TracePublications {
  private struct Transaction: Hashable {
    /// Number of the session.
    var member: Int
    var name: [UInt8]
  }

  /// What a delivery belongs to.
  private struct Origin {
    var place: Int
    var isInferred = false
    /// The messages of other publications that fit as well.
    var rivals: [UInt64] = []
  }

  private(set) var all: [TracePublication] = []
  /// Places by the message that published.
  private var places: [UInt64: Int] = [:]
  /// Places by what the deliveries of a publication share. Of those that are joined by topic and
  /// payload, it is inferred. A router may use an id in each realm, or again for another topic.
  private var shared: [UInt64: [Origin]] = [:]
  /// The messages that published in a transaction that is open.
  private var open: [Transaction: [UInt64]] = [:]
  /// Nearly all of them are selected: forgetting others would hardly make room, and is not tried
  /// again.
  private var isFull = false
  /// Selected ones for which there was no room.
  private(set) var unkept = 0
  /// Deliveries whose publication is not known.
  private(set) var unjoined: UInt64 = 0

  /// How many of the latest messages are compared by topic and payload.
  private static let mostCompared = 256

  mutating func publish(
    _ reported: TraceMessage, _ act: Distribution, by member: Int, _ limits: Limits
  ) {
    if all.count >= limits.tracedExchanges && !isFull { forgetOlder() }
    if all.count >= limits.tracedExchanges {
      if reported.isSelected { unkept += 1 }
      return
    }
    places[reported.joined.index] = all.count
    if !act.transaction.isEmpty {
      let transaction = Transaction(member: member, name: act.transaction)
      open[transaction, default: []].append(reported.joined.index)
    }
    all.append(
      TracePublication(
        line: reported.line, publisher: member, sent: reported.moment,
        dialect: reported.message.dialect.description, name: reported.name, topic: reported.subject,
        payload: reported.payload, size: Int(reported.joined.size), distribution: act,
        awaitsAnswer: reported.message.asksForAnswer,
        isSelected: reported.isSelected))
  }

  /// Forgets the older half of those that are not selected.
  private mutating func forgetOlder() {
    let (middle, count) = (all.count / 2, all.count)
    all = all.enumerated().filter { $1.isSelected || $0 >= middle }.map(\.element)
    (places, shared) = ([:], [:])
    isFull = all.count > count - count / 8
    for (place, one) in all.enumerated() {
      places[one.sent.index] = place
      if let id = one.id { shared[id, default: []].append(Origin(place: place)) }
    }
  }

  /// A transaction ends: what was published in it counts now, or was never published.
  mutating func settle(_ act: Distribution, by member: Int) {
    let transaction = Transaction(member: member, name: act.transaction)
    for index in open.removeValue(forKey: transaction) ?? [] {
      guard let place = places[index] else { continue }
      all[place].distribution.transaction = []
      if act.act == .commits { continue }
      (all[place].isRefused, all[place].refusal) = (true, Array("its transaction was aborted".utf8))
    }
  }

  /// PUBLISHED, or a refusal.
  mutating func answer(_ reported: TraceMessage, _ members: [TraceMember]) {
    guard let place = places[reported.joined.answers] else { return }
    if reported.isSelected { all[place].isSelected = true }
    if reported.distribution?.act == .delivers {
      // Somebody else has answered by publishing in turn: that is no acknowledgement.
      all[place].awaitsAnswer = false
      return
    }
    if all[place].answered != nil { return }
    (all[place].answered, all[place].answerLine) = (reported.moment, reported.line)
    if !all[place].isRefused {
      all[place].isRefused = reported.message.traits.contains(.isFailure)
      all[place].refusal = reported.reason
    }
    guard let id = reported.shared else { return }
    all[place].id = id
    // Deliveries before the answer were joined by topic and payload; now they are known by their
    // id.
    let publisher = members[all[place].publisher]
    if let early = publication(id, all[place].topic, publisher, members), early.isInferred {
      let came = all[early.place].deliveries.filter { $0.shared == id }
      all[early.place].deliveries.removeAll { $0.shared == id }
      for var one in came {
        (one.isInferred, one.rivals) = (false, [])
        all[place].deliveries.append(one)
      }
      shared[id]?.removeAll { $0.place == early.place }
    }
    shared[id, default: []].append(Origin(place: place))
  }

  /// The publication with an id, to a topic, as far as a session may have to do with it.
  ///
  /// - Parameter topic: empty when not known.
  private func publication(
    _ id: UInt64, _ topic: [UInt8], _ member: TraceMember, _ members: [TraceMember]
  ) -> Origin? {
    shared[id]?.last {
      let one = all[$0.place]
      return (topic.isEmpty || one.topic == topic)
        && !members[one.publisher].isInOtherRealm(than: member)
    }
  }

  /// EVENT.
  ///
  /// - Returns: a session that turns out to talk to the same server as this one.
  mutating func deliver(
    _ reported: TraceMessage, _ act: Distribution, to member: Int, _ members: [TraceMember],
    _ limits: Limits
  ) -> Int? {
    guard let origin = find(reported, act, to: member, members) else {
      // It may be of one that had no room.
      if unkept == 0 { unjoined += 1 }
      return nil
    }
    let place = origin.place
    if reported.isSelected { all[place].isSelected = true }
    guard all[place].deliveries.count < limits.tracedDeliveries else { return nil }
    all[place].deliveries.append(
      TracePublication.Delivery(
        member: member, moment: reported.moment, name: reported.name,
        subscription: act.subscription,
        shared: reported.shared, isInferred: origin.isInferred, isRetained: act.isRetained,
        rivals: origin.rivals))
    return all[place].publisher
  }

  private mutating func find(
    _ reported: TraceMessage, _ act: Distribution, to member: Int, _ members: [TraceMember]
  ) -> Origin? {
    var known = reported.shared.flatMap {
      publication($0, reported.subject, members[member], members)
    }
    // A session gets what was published before it began only if that was retained: a router that
    // was started again gives its ids again.
    if let sent = known.map({ all[$0.place].sent }), !act.isRetained, members[member].isFromStart,
      sent.index < members[member].began
    {
      known = nil
    }
    let publisher = known.map { members[all[$0.place].publisher] }
    if let known, publisher?.server == members[member].server { return known }
    let last = reported.joined.carries > 0 ? places[reported.joined.carries] : nil
    if reported.shared != nil, let last { return Origin(place: last) }
    // Of what is retained, the last one counts.
    if reported.subject.isEmpty || act.isRetained {
      return last.map { Origin(place: $0, isInferred: true) }
    }
    let fitting = compare(reported, act, to: member, members)
    guard let place = fitting.first else {
      // It may have come before: several subscriptions may match.
      if let last, all[last].fit(member, members[member], act, at: reported.moment) != nil {
        return Origin(place: last, isInferred: true)
      }
      return publisher?.isNear(members[member]) == true ? known : nil
    }
    let rivals = fitting.dropFirst().map { all[$0].sent.index }
    let origin = Origin(place: place, isInferred: true, rivals: rivals)
    if let id = reported.shared { shared[id, default: []].append(origin) }
    return origin
  }

  /// The publications that say the same, that this subscription has not got yet, and that fit best;
  /// the oldest first.
  private func compare(
    _ reported: TraceMessage, _ act: Distribution, to member: Int, _ members: [TraceMember]
  ) -> [Int] {
    let oldest = max(0, all.count - Self.mostCompared)
    let same = all.indices[oldest...].filter { place in
      let one = all[place]
      guard one.topic == reported.subject, one.payload == reported.payload, !one.isRefused,
        one.id == nil || reported.shared == nil,
        !members[one.publisher].isInOtherRealm(than: members[member]),
        act.disclosed.flatMap({ members[one.publisher].isNamed($0) }) != false
      else { return false }
      // It was delivered under another id.
      if let id = reported.shared,
        one.deliveries.contains(where: { $0.shared != nil && $0.shared != id })
      {
        return false
      }
      return !one.deliveries.contains {
        $0.member == member && $0.subscription == act.subscription
      }
    }
    let near = same.filter { members[all[$0].publisher].server == members[member].server }
    let reachable =
      near.isEmpty
      ? same.filter { members[all[$0].publisher].mayBeNear(members[member]) } : near
    let fits = reachable.map {
      all[$0].fit(member, members[member], act, at: reported.moment)
    }
    guard let best = fits.compactMap(\.self).max() else { return [] }
    return zip(reachable, fits).filter { $1 == best }.map(\.0)
  }

  /// All deliveries have come: of publications that say the same, and that did not all come, nobody
  /// knows which did.
  mutating func settleRivals() {
    for place in all.indices {
      for number in all[place].deliveries.indices {
        let one = all[place].deliveries[number]
        let missing = one.rivals.compactMap { places[$0] }.filter { rival in
          !all[rival].isRefused && !all[rival].deliveries.contains { $0.member == one.member }
        }
        all[place].deliveries[number].isContested = !missing.isEmpty
        for rival in missing { all[rival].contested[one.member] = one.moment }
      }
    }
  }
}
