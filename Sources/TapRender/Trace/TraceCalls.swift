// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// The calls that are kept, with their legs.
struct TraceCalls {
  private struct RequestKey: Hashable {
    var member: Int
    var space: UInt8
    var key: UInt64
  }

  private(set) var all: [TraceCall] = []
  /// Places by the messages that asked: of the call itself, and where it was passed on.
  private var places: [UInt64: Int] = [:]
  private var requests: [RequestKey: Int] = [:]
  /// Nearly all of them are selected: forgetting others would hardly make room, and is not tried
  /// again.
  private var isFull = false
  /// Selected ones for which there was no room.
  private(set) var unkept = 0

  /// How many of the latest calls are compared by subject and payload.
  private static let mostCompared = 256

  /// - Returns: a session that turns out to talk to the same server as this one.
  mutating func message(
    _ reported: TraceMessage, member: Int, _ members: [TraceMember], _ limits: Limits
  ) -> Int? {
    if reported.asks { return ask(reported, member, members, limits) }
    if reported.joined.answers > 0, let place = places[reported.joined.answers] {
      append(reported, member, to: place, isLast: reported.message.has(.answers), limits)
    } else if reported.message.first.role == .mentions {
      let key = key(reported, member)
      if let place = requests[key] { append(reported, member, to: place, isLast: false, limits) }
    }
    return nil
  }

  private func key(_ reported: TraceMessage, _ member: Int) -> RequestKey {
    RequestKey(
      member: member, space: reported.message.first.space, key: reported.message.first.key)
  }

  private mutating func ask(
    _ reported: TraceMessage, _ member: Int, _ members: [TraceMember], _ limits: Limits
  ) -> Int? {
    if reported.isPassedOn, let place = find(reported, member, members) {
      all[place].callee = member
      (places[reported.joined.index], requests[key(reported, member)]) = (place, place)
      append(reported, member, to: place, isLast: false, isInferred: true, limits)
      return all[place].caller
    }
    if all.count >= limits.tracedExchanges && !isFull { forgetOlder() }
    if all.count >= limits.tracedExchanges {
      if reported.isSelected { unkept += 1 }
      return nil
    }
    (places[reported.joined.index], requests[key(reported, member)]) = (all.count, all.count)
    all.append(
      TraceCall(
        dialect: reported.message.dialect.description, subject: reported.subject, caller: member,
        isRouted: reported.distribution?.act == .calls,
        payload: reported.payload, legs: [leg(reported, isLast: false)],
        isSelected: reported.isSelected))
    return nil
  }

  /// The oldest open call that says the same; else the only open one about the subject, as a router
  /// may write the payload in other words. Last comes what says the same on another port.
  private func find(
    _ reported: TraceMessage, _ member: Int, _ members: [TraceMember]
  ) -> Int? {
    if reported.subject.isEmpty { return nil }
    let oldest = max(0, all.count - Self.mostCompared)
    let open = all.indices[oldest...].filter { place in
      let call = all[place]
      return call.subject == reported.subject && call.callee < 0 && call.answer == nil
    }
    let here = open.filter { members[all[$0].caller].server == members[member].server }
    func same(_ places: [Int]) -> Int? { places.first { all[$0].payload == reported.payload } }
    return same(here) ?? (here.count == 1 ? here[0] : nil)
      ?? same(open.filter { members[all[$0].caller].isNear(members[member]) })
  }

  private mutating func append(
    _ reported: TraceMessage, _ member: Int, to place: Int, isLast: Bool, isInferred: Bool = false,
    _ limits: Limits
  ) {
    if reported.isSelected { all[place].isSelected = true }
    if all[place].legs.count >= limits.tracedDeliveries && !isLast { return }
    var leg = leg(reported, isLast: isLast)
    leg.isInner = all[place].callee == member && (isInferred || isOfCallee(reported, place))
    leg.isInferred = leg.isInner
    all[place].legs.append(leg)
  }

  /// Caller and callee may be one session: the key of the request says which leg it is of.
  private func isOfCallee(_ reported: TraceMessage, _ place: Int) -> Bool {
    guard let passedOn = all[place].passedOn else { return false }
    if reported.joined.answers > 0 { return reported.joined.answers == passedOn.moment.index }
    return reported.message.first.space == passedOn.space
  }

  private func leg(_ reported: TraceMessage, isLast: Bool) -> TraceCall.Leg {
    TraceCall.Leg(
      line: reported.line, moment: reported.moment, connection: reported.joined.connection,
      name: reported.name,
      space: reported.message.first.space, isInferred: false, isInner: false, isLast: isLast,
      isFailure: reported.message.traits.contains(.isFailure))
  }

  /// Forgets the older half of those that are not selected.
  private mutating func forgetOlder() {
    let (middle, count) = (all.count / 2, all.count)
    all = all.enumerated().filter { $1.isSelected || $0 >= middle }.map(\.element)
    (places, requests) = ([:], [:])
    isFull = all.count > count - count / 8
    for (place, one) in all.enumerated() {
      places[one.asked.moment.index] = place
      if let passedOn = one.passedOn { places[passedOn.moment.index] = place }
    }
  }
}
