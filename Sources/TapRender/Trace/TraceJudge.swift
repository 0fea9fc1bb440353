// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Says of one publication who got it, who did not, and why, as far as the evidence shows.
struct TraceJudge {
  let publication: TracePublication
  let members: [TraceMember]
  /// The last message of the evidence.
  let last: TraceMoment?

  private var publisher: TraceMember { members[publication.publisher] }

  /// One for each session that there is something to say of, those that got it first.
  var verdicts: [TraceVerdict] {
    var found = received
    let got = Set(publication.deliveries.map(\.member))
    if publication.isRefused { return found }
    for number in members.indices where !got.contains(number) {
      guard members[number].server == publisher.server else { continue }
      if let verdict = missed(number) { found.append(verdict) }
    }
    return found
  }

  /// Sessions of the server that no verdict is about: they had not subscribed.
  func others(_ verdicts: [TraceVerdict]) -> Int {
    let reported = Set(verdicts.map(\.member)).union([publication.publisher])
    return members.indices.count { number in
      !reported.contains(number) && members[number].server == publisher.server
        && !isGone(members[number])
    }
  }

  private func isGone(_ member: TraceMember) -> Bool {
    member.ended.map { $0.index < publication.sent.index } ?? false
  }

  private var received: [TraceVerdict] {
    publication.deliveries.sorted { $0.moment.index < $1.moment.index }.map { one in
      if one.isContested { return contested(one.member, one.moment) }
      var verdict = TraceVerdict(
        member: one.member, outcome: .received, cause: one.isRetained ? "retained" : "delivered",
        text: "", moment: one.moment)
      verdict.delivery = one
      return verdict
    }
  }

  /// What came may be of another publication that says the same.
  private func contested(_ number: Int, _ moment: TraceMoment) -> TraceVerdict {
    make(
      number, .unknown, "ambiguous", "got less of what says the same than was published", moment,
      rank: 9)
  }

  private func missed(_ number: Int) -> TraceVerdict? {
    let member = members[number]
    if let moment = publication.contested[number] { return contested(number, moment) }
    if publication.topic.isEmpty, let verdict = verdict(withoutTopic: number, member) {
      return verdict
    }
    let subscriptions = member.subscriptions.filter {
      $0.filter.matches(publication.topic.span.bytes)
    }
    let verdicts = subscriptions.compactMap { verdict(number, member, $0) }
    if let best = verdicts.max(by: { $0.rank < $1.rank }) {
      return best
    }
    if isGone(member) { return nil }
    if let alike = alike(number, member) { return alike }
    return beginning(number, member)
  }

  private func make(
    _ number: Int, _ outcome: TraceVerdict.Outcome, _ cause: StaticString, _ text: String,
    _ moment: TraceMoment? = nil, rank: Int
  ) -> TraceVerdict {
    TraceVerdict(
      member: number, outcome: outcome, cause: cause, text: text, moment: moment, rank: rank)
  }

  /// Of a subscription that matches.
  private func verdict(
    _ number: Int, _ member: TraceMember, _ one: TraceSubscription
  ) -> TraceVerdict? {
    if member.isInOtherRealm(than: publisher) {
      return make(number, .missed, "otherRealm", "is in realm \(string(member.realm))", rank: 1)
    }
    switch one.state(at: publication.sent.index) {
    case .notYet:
      if let refused = one.refused, one.refusal.isEmpty == false || refused.index > 0 {
        return make(
          number, .missed, "refused", refusal(one), one.refused, rank: 3)
      }
      return make(number, .missed, "late", "subscribed only later", one.asked, rank: 3)
    case .refused: return make(number, .missed, "refused", refusal(one), one.refused, rank: 4)
    case .ended:
      return make(number, .missed, "unsubscribed", "had unsubscribed", one.ended, rank: 5)
    case .asked where one.refused != nil:
      return make(number, .missed, "refused", refusal(one), one.refused, rank: 4)
    case .asked:
      if one.granted == nil {
        return make(
          number, .unknown, "unanswered",
          "had subscribed; no confirmation was captured", one.asked, rank: 6)
      }
      return make(
        number, .missed, "pending", "had subscribed; that was confirmed only later", one.granted,
        rank: 6)
    case .active: return active(number, member, one)
    }
  }

  /// Where the topic was not captured: any subscription of the session may match it.
  private func verdict(withoutTopic number: Int, _ member: TraceMember) -> TraceVerdict? {
    if isGone(member) || member.isInOtherRealm(than: publisher) { return nil }
    let open = member.subscriptions.first {
      switch $0.state(at: publication.sent.index) {
      case .active, .asked: true
      // Without times, nobody knows which of two logs comes first.
      case .notYet: $0.asked.since(publication.sent) == nil
      case .refused, .ended: false
      }
    }
    guard let open else { return nil }
    return make(
      number, .unknown, "notCaptured", "has subscribed; the topic of this was not captured",
      open.asked, rank: 8)
  }

  private func refusal(_ one: TraceSubscription) -> String {
    "its subscription was refused"
      + (one.refusal.isEmpty ? "" : ": \(string(one.refusal))")
  }

  /// Of a session that was subscribed to it when it was published.
  private func active(
    _ number: Int, _ member: TraceMember, _ one: TraceSubscription
  ) -> TraceVerdict? {
    if let ended = member.ended, ended.index < publication.sent.index {
      return make(number, .missed, "gone", "was gone: \(member.ending)", ended, rank: 2)
    }
    if number == publication.publisher {
      if one.filter.refusesOwn {
        return make(
          number, .missed, "publisher", "is the publisher, and does not want its own", rank: 9)
      }
      let option = publication.distribution.ownExclusion
      if option.utf8CodeUnitCount > 0 {
        return make(
          number, .missed, "publisher",
          "is the publisher, and gets its own only with \(option.description) false", rank: 9)
      }
    }
    for restriction in publication.distribution.restrictions {
      let option = restriction.option.description
      switch restriction.excludes(member.identity) {
      case true:
        let how =
          restriction.isExclusive ? "is not among those of" : "is left out by"
        return make(number, .missed, "excluded", "\(how) \(option)", rank: 9)
      case nil:
        let name = restriction.name.description
        return make(
          number, .unknown, "excluded",
          "may be left out by \(option): its \(name) was not captured", rank: 9)
      default: break
      }
    }
    // The topic may be shorter there.
    if let most = member.mostBytes, publication.size - publication.topic.count > most {
      return make(
        number, .missed, "tooLarge",
        "was subscribed, and takes no more than \(most) bytes; this has \(publication.size)",
        rank: 9)
    }
    if let loss = member.firstLoss(since: publication.sent, .toClient) {
      return make(
        number, .unknown, "notCaptured",
        "was subscribed; bytes of its connection were not captured", loss, rank: 8)
    }
    if one.filter.isShared {
      return make(
        number, .missed, "shared",
        "shares what comes there with others, of whom one gets each message", one.asked, rank: 8)
    }
    if let ended = member.ended {
      return make(
        number, .missed, "gone", "was subscribed; \(member.ending) before anything came", ended,
        rank: 8)
    }
    return make(
      number, .missed, "nothing",
      "was subscribed, and nothing had come when the capture ended", last, rank: 8)
  }

  /// Of a session that has subscribed to something that is written much the same.
  private func alike(_ number: Int, _ member: TraceMember) -> TraceVerdict? {
    for one in member.subscriptions where one.filter.form == .exact {
      let state = one.state(at: publication.sent.index)
      guard state == .active || state == .asked,
        let difference = TopicDifference.difference(one.filter.text, publication.topic)
      else { continue }
      return make(
        number, .missed, "otherTopic",
        "is subscribed to \(string(one.filter.text)), which \(difference)", one.asked, rank: 7)
    }
    return nil
  }

  /// For a session whose subscriptions are not known.
  private func beginning(_ number: Int, _ member: TraceMember) -> TraceVerdict? {
    if number == publication.publisher { return nil }
    if member.unreported > 0 {
      return make(
        number, .unknown, "tooMany", "has more subscriptions than are kept", rank: 1)
    }
    if member.isResumed {
      return make(
        number, .unknown, "resumed",
        "goes on with a session that the server has kept; what that had subscribed to is not known",
        rank: 1)
    }
    if !member.isFromStart && !member.isOfText {
      return make(
        number, .unknown, "notCaptured",
        "its beginning was not captured, nor what it had subscribed to by then", rank: 1)
    }
    guard let loss = member.losses.first else { return nil }
    return make(
      number, .unknown, "notCaptured",
      "bytes of its connection were not captured; a subscription may have been in them", loss,
      rank: 1)
  }

  private func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: Unicode.UTF8.self) }
}
