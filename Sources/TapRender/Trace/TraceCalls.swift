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
      if reported.message.has(.answers), contradicts(all[place]),
        let other = mixedUp(with: place, members)
      {
        swapInner(of: place, and: other)
      }
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
    // One more part of a call that is open. Requests of other dialects have no parts: an id that is
    // there again is of another one.
    if reported.distribution != nil, let place = requests[key(reported, member)],
      all[place].subject == reported.subject, isOpen(all[place], for: reported, member)
    {
      append(reported, member, to: place, isLast: false, limits)
      return nil
    }
    if reported.isPassedOn,
      let place = find(
        reported.subject, reported.payload, reported.distribution?.disclosed, member, members)
    {
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

  private func isOpen(_ call: TraceCall, for reported: TraceMessage, _ member: Int) -> Bool {
    let isInner = call.callee == member && call.passedOn?.space == reported.message.first.space
    return (isInner ? call.innerAnswer : call.answer) == nil
  }

  /// Whether the callee has not got this call, or clocks differ: the caller had the result before
  /// the callee gave it, or had a result where the callee failed.
  private func contradicts(_ call: TraceCall) -> Bool {
    guard call.callee >= 0, let answer = call.answer, !answer.isFailure else { return false }
    return call.innerAnswer?.isFailure ?? true
  }

  /// The other call that this one was mixed up with, as both say the same: with each other's inner
  /// leg, answers come in order, and results where the callee gave one.
  private func mixedUp(with place: Int, _ members: [TraceMember]) -> Int? {
    let call = all[place]
    guard let passedOn = call.passedOn else { return nil }
    func may(_ leg: TraceCall.Leg, beOf caller: Int) -> Bool {
      leg.disclosed.flatMap { members[caller].isNamed($0) } != false
    }
    return all.indices[max(0, all.count - Self.mostCompared)...].first { place in
      let other = all[place]
      guard other.subject == call.subject, other.payload == call.payload,
        let itsPassedOn = other.passedOn, other.innerAnswer?.isFailure == false,
        other.answer.map({ $0.isFailure && call.innerAnswer != nil }) ?? true
      else { return false }
      return members[other.caller].server == members[call.caller].server
        && !members[other.caller].isInOtherRealm(than: members[call.caller])
        && call.asked.moment.index < itsPassedOn.moment.index
        && other.asked.moment.index < passedOn.moment.index
        && may(itsPassedOn, beOf: call.caller) && may(passedOn, beOf: other.caller)
    }
  }

  private mutating func swapInner(of one: Int, and other: Int) {
    let (oneCallee, otherCallee) = (all[one].callee, all[other].callee)
    let (oneInner, otherInner) = (takeInner(of: one), takeInner(of: other))
    give(otherInner, of: otherCallee, to: one)
    give(oneInner, of: oneCallee, to: other)
  }

  private mutating func takeInner(of place: Int) -> [TraceCall.Leg] {
    let inner = all[place].legs.filter(\.isInner)
    all[place].legs.removeAll(where: \.isInner)
    return inner
  }

  private mutating func give(_ inner: [TraceCall.Leg], of callee: Int, to place: Int) {
    for leg in inner {
      requests[RequestKey(member: callee, space: leg.space, key: leg.request)] = place
      places[leg.moment.index] = place
    }
    all[place].callee = callee
    all[place].legs += inner
    all[place].legs.sort { $0.moment.index < $1.moment.index }
  }

  /// The oldest open call that says the same; else the only open one about the subject, as a router
  /// may write the payload in other words. Last comes what says the same on another port.
  ///
  /// - Parameter disclosed: the caller, if the router names it.
  private func find(
    _ subject: [UInt8], _ payload: UInt64, _ disclosed: Distribution.Name?, _ member: Int,
    _ members: [TraceMember]
  ) -> Int? {
    if subject.isEmpty { return nil }
    let oldest = max(0, all.count - Self.mostCompared)
    var open = all.indices[oldest...].filter { place in
      all[place].subject == subject && all[place].isWaiting
        && !members[all[place].caller].isInOtherRealm(than: members[member])
    }
    if let disclosed {
      let named = open.filter { members[all[$0].caller].isNamed(disclosed) == true }
      open =
        named.isEmpty ? open.filter { members[all[$0].caller].isNamed(disclosed) == nil } : named
    }
    let here = open.filter { members[all[$0].caller].server == members[member].server }
    func same(_ places: [Int]) -> Int? { places.first { all[$0].payload == payload } }
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
      request: reported.message.first.key, space: reported.message.first.space,
      disclosed: reported.distribution?.disclosed,
      isInferred: false, isInner: false, isLast: isLast,
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
      for leg in one.legs {
        let member = leg.isInner ? one.callee : one.caller
        requests[RequestKey(member: member, space: leg.space, key: leg.request)] = place
      }
    }
  }
}
