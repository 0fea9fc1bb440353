// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// What is remembered of the traffic to say where publications and calls went: the sessions with
/// their subscriptions, and the publications and calls themselves.
struct TraceBook {
  private struct Key: Hashable {
    var connection: UInt32
    var session: UInt16
  }

  private struct Connection {
    var address: [UInt8]
    var server: [UInt8]
    var host: [UInt8]
    var isOfText: Bool
    var isFromStart: Bool
    /// Losses before the first message of a session.
    var losses: [TraceMoment] = []
  }

  /// Addresses that turned out to be of one server: what came in at one went out at the other.
  private var sameServers: [[UInt8]: [UInt8]] = [:]
  private(set) var members: [TraceMember] = []
  private var numbers: [Key: Int] = [:]
  /// Sessions of connections that are open.
  private var open: [UInt32: [Int]] = [:]
  private var connections: [UInt32: Connection] = [:]
  /// By the message that asked: the session, and its subscriptions of that message.
  private var asked: [UInt64: (member: Int, places: Range<Int>)] = [:]
  var publications = TracePublications()
  var calls = TraceCalls()
  private(set) var last: TraceMoment?
  let limits: Limits
  /// Sessions that are not kept, as there are too many.
  private(set) var unreportedMembers = 0

  init(_ limits: Limits) { self.limits = limits }

  mutating func opened(_ opening: Opening, connection: UInt32) {
    let writer = opening.provenance.writer
    let address =
      opening.client.isKnown ? Array(opening.client.description.utf8) : writer
    let server =
      opening.server.isKnown ? Array(opening.server.description.utf8) : opening.url
    connections[connection] = Connection(
      address: address, server: sameServers[server] ?? server,
      host: opening.server.isKnown
        ? Array(Endpoint(address: opening.server.address, port: 0).description.utf8) : [],
      isOfText: !writer.isEmpty,
      isFromStart: opening.isFromStart)
  }

  /// Where bytes are missing, any message may have been.
  mutating func finding(_ finding: Finding, connection: UInt32) {
    guard finding.lostBytes > 0 || finding.lostMessages > 0 || finding.endsEvidence else { return }
    var origin = finding.origin
    // Not every finding says in which direction messages are missing.
    origin.direction = .unknown
    let moment = TraceMoment(index: last?.index ?? 0, origin: origin)
    if connection == 0 {
      lose(moment, of: members.indices)
    } else if let known = open[connection] {
      lose(moment, of: known)
    } else {
      connections[connection]?.losses.append(moment)
    }
  }

  private mutating func lose(_ moment: TraceMoment, of numbers: some Sequence<Int>) {
    for number in numbers { members[number].lose(moment, limits) }
  }

  mutating func closed(_ closing: Closing, connection: UInt32, _ origin: Origin) {
    if !closing.isUnfinished {
      let moment = TraceMoment(index: last?.index ?? 0, origin: origin)
      let code = closing.code.map { " with code \($0)" } ?? ""
      let how = closing.isReset ? "was reset" : "was closed\(code)"
      for number in open[connection] ?? [] where members[number].ended == nil {
        (members[number].ended, members[number].ending) = (moment, "its connection \(how)")
      }
    }
    open[connection] = nil
    connections[connection] = nil
  }

  mutating func message(_ reported: TraceMessage, realm: RawSpan) {
    last = reported.moment
    guard let number = member(reported) else { return }
    if !realm.isEmpty { members[number].realm = realm.copied() }
    if let distribution = reported.distribution { take(distribution, reported, number) }
    answer(reported)
    if reported.isUnread { lose(reported.moment, of: open[reported.joined.connection] ?? []) }
    if let other = calls.message(reported, member: number, members, limits) { join(number, other) }
  }

  /// Two sessions talk to one server, though perhaps on two ports.
  private mutating func join(_ number: Int, _ other: Int) {
    let (server, same) = (members[number].server, members[other].server)
    if server == same || sameServers.count >= limits.tracedSessions { return }
    for at in members.indices where members[at].server == server { members[at].server = same }
    for key in connections.keys where connections[key]?.server == server {
      connections[key]?.server = same
    }
    for key in sameServers.keys where sameServers[key] == server { sameServers[key] = same }
    sameServers[server] = same
  }

  /// The number of the session that sends or gets a message.
  private mutating func member(_ reported: TraceMessage) -> Int? {
    let key = Key(connection: reported.joined.connection, session: reported.message.session)
    if let known = numbers[key] { return known }
    if members.count >= limits.tracedSessions {
      unreportedMembers += 1
      return nil
    }
    var member = TraceMember(connection: key.connection, session: key.session)
    member.began = reported.joined.index
    if let connection = connections[key.connection] {
      (member.address, member.server) = (connection.address, connection.server)
      member.host = connection.host
      (member.isOfText, member.losses) = (connection.isOfText, connection.losses)
      // A session that follows another one on its connection: its beginning was captured.
      member.isFromStart =
        connection.isFromStart || open[key.connection]?.isEmpty == false
    } else {
      (member.isOfText, member.isFromStart) = (true, false)
    }
    numbers[key] = members.count
    open[key.connection, default: []].append(members.count)
    members.append(member)
    return members.count - 1
  }

  private mutating func take(_ act: Distribution, _ reported: TraceMessage, _ number: Int) {
    switch act.act {
    case .none, .calls, .invokes: break
    case .joins:
      for name in act.identity where !name.value.isEmpty {
        members[number].identity.removeAll { $0.name.equals(name.name) }
        members[number].identity.append(name)
      }
      if act.isResumed { members[number].isResumed = true }
      if let most = act.mostBytes { members[number].mostBytes = most }
    case .leaves:
      if members[number].ended == nil {
        (members[number].ended, members[number].ending) = (
          reported.moment, "it left with \(reported.name)"
        )
      }
    case .subscribes: subscribe(act, reported, number)
    case .grants: grant(act, reported)
    case .unsubscribes: unsubscribe(act, reported, number)
    case .commits, .aborts: publications.settle(act, by: number)
    case .publishes: publications.publish(reported, act, by: number, limits)
    case .delivers:
      if let other = publications.deliver(reported, act, to: number, members, limits) {
        join(number, other)
      }
    }
  }

  private mutating func subscribe(_ act: Distribution, _ reported: TraceMessage, _ number: Int) {
    let start = members[number].subscriptions.count
    for filter in act.filters {
      if members[number].subscriptions.count >= limits.tracedSubscriptions {
        members[number].unreported += 1
        continue
      }
      members[number].subscriptions.append(
        TraceSubscription(
          filter: filter, id: act.subscription, asked: reported.moment,
          awaitsAnswer: reported.message.asksForAnswer))
    }
    if asked.count >= limits.openExchanges { asked.removeAll() }
    asked[reported.joined.index] = (number, start..<members[number].subscriptions.count)
  }

  private mutating func grant(_ act: Distribution, _ reported: TraceMessage) {
    guard let known = asked[reported.joined.answers] else { return }
    for (order, place) in known.places.enumerated() {
      if order < act.refusals.count, !act.refusals[order].isEmpty {
        members[known.member].subscriptions[place].refused = reported.moment
        members[known.member].subscriptions[place].refusal = act.refusals[order]
        continue
      }
      members[known.member].subscriptions[place].granted = reported.moment
      if order < act.qualities.count {
        members[known.member].subscriptions[place].quality = act.qualities[order]
      }
      if !act.subscription.isEmpty {
        members[known.member].subscriptions[place].id = act.subscription
      }
    }
    asked[reported.joined.answers] = nil
  }

  private mutating func unsubscribe(_ act: Distribution, _ reported: TraceMessage, _ number: Int) {
    for place in members[number].subscriptions.indices {
      let one = members[number].subscriptions[place]
      if one.ended != nil || one.refused != nil { continue }
      let isByID = act.filters.isEmpty && one.id == act.subscription
      if isByID || act.filters.contains(where: { $0.text == one.filter.text }) {
        members[number].subscriptions[place].ended = reported.moment
      }
    }
  }

  /// The answer to something that was asked for before.
  private mutating func answer(_ reported: TraceMessage) {
    if reported.joined.answers == 0 { return }
    publications.answer(reported, members)
    guard reported.message.traits.contains(.isFailure), let known = asked[reported.joined.answers]
    else {
      return
    }
    for place in known.places {
      members[known.member].subscriptions[place].refused = reported.moment
      members[known.member].subscriptions[place].refusal = reported.reason
    }
    asked[reported.joined.answers] = nil
  }
}
