// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Finds which messages belong to one exchange: by ids, and where two legs share none (CALL and
/// INVOCATION), inferred from subject and payload.
struct ExchangeLegs {
  private struct RequestKey: Hashable {
    var session: UInt64
    var space: UInt8
    var key: UInt64
  }

  /// A subject on one host.
  private struct SubjectKey: Hashable {
    var host: [UInt8]
    var subject: UInt64
  }

  private struct Candidate {
    var index: UInt64
    var payload: UInt64
  }

  /// The limit of open requests per subject that are compared; the oldest are dropped first.
  private static let mostCandidates = 256
  /// Ids from this size on are random, so no other connection uses the same one.
  private static let leastRandom: UInt64 = 1 << 32

  private var requests: [RequestKey: UInt64] = [:]
  private var shared: [UInt64: UInt64] = [:]
  private var candidates: [SubjectKey: [Candidate]] = [:]
  private var hosts: [UInt32: [UInt8]] = [:]
  private let limits: Limits

  init(_ limits: Limits) { self.limits = limits }

  mutating func opened(_ opening: Opening, connection: UInt32) {
    hosts[connection] = opening.server.isKnown ? opening.server.address : opening.url
  }

  mutating func message(_ message: Message, _ view: MessageView, _ table: inout ExchangeTable) {
    let joined = view.joined
    if joined.answers > 0 { table.join(joined.answers, joined.index) }
    if joined.carries > 0 { table.join(joined.carries, joined.index) }
    if message.first.role == .none { return }
    let subjectKey = SubjectKey(
      host: hosts[joined.connection] ?? [], subject: view.subject.fingerprint)
    let bytes = view.bytes
    let payload = bytes[message.payload].fingerprint ^ bytes[message.keywords].fingerprint &* 3
    if joined.answers > 0 { forget(joined.answers, subjectKey) }
    for number in 0..<3 {
      let link = message.link(number)
      let key = RequestKey(
        session: LateAnswers.key(joined.connection, message.session), space: link.space,
        key: link.key)
      switch link.role {
      case .opens:
        if requests.count >= limits.openExchanges { requests.removeAll() }
        if let known = requests[key], message.traits.contains(.asksNothing) {
          table.join(known, joined.index)
        }
        requests[key] = joined.index
      case .mentions: if let request = requests[key] { table.join(request, joined.index) }
      case .shares:
        share(link.key, view, subjectKey, payload, &table)
      default: break
      }
    }
    guard message.first.role == .opens, !view.subject.isEmpty else { return }
    switch message.origin.direction {
    case .toServer: keep(Candidate(index: joined.index, payload: payload), subjectKey)
    case .toClient:
      if let found = take(subjectKey, payload, orOnlyOne: true) {
        table.join(found, joined.index)
      }
    case .unknown: break
    }
  }

  /// Joins the EVENTs of one publication.
  private mutating func share(
    _ id: UInt64, _ view: MessageView, _ subjectKey: SubjectKey, _ payload: UInt64,
    _ table: inout ExchangeTable
  ) {
    if id < Self.leastRandom { return }
    let joined = view.joined
    if let known = shared[id] { return table.join(known, joined.index) }
    if shared.count >= limits.sharedIDs { shared.removeAll() }
    shared[id] = joined.index
    if joined.answers > 0 || joined.carries > 0 || view.subject.isEmpty { return }
    if let found = take(subjectKey, payload, orOnlyOne: false) { table.join(found, joined.index) }
  }

  private mutating func keep(_ candidate: Candidate, _ key: SubjectKey) {
    if candidates.count >= limits.openExchanges { candidates.removeAll() }
    var known = candidates.removeValue(forKey: key) ?? []
    if known.count >= Self.mostCandidates { known.removeFirst() }
    known.append(candidate)
    candidates[key] = known
  }

  /// The oldest open request with this payload; otherwise the only open one, as a router may
  /// re-encode the payload.
  private mutating func take(_ key: SubjectKey, _ payload: UInt64, orOnlyOne: Bool) -> UInt64? {
    guard var known = candidates[key] else { return nil }
    var place = known.firstIndex { $0.payload == payload }
    if place == nil && orOnlyOne && known.count == 1 { place = 0 }
    guard let place else { return nil }
    let found = known.remove(at: place)
    candidates[key] = known.isEmpty ? nil : known
    return found.index
  }

  /// The request was answered: it will not be forwarded any more.
  private mutating func forget(_ index: UInt64, _ key: SubjectKey) {
    guard var known = candidates.removeValue(forKey: key) else { return }
    known.removeAll { $0.index == index }
    if !known.isEmpty { candidates[key] = known }
  }
}
