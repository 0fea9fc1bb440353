// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What one session has published, and who got it.
struct TracePublication {
  /// One session getting it.
  struct Delivery {
    /// Number of the session.
    var member: Int
    var moment: TraceMoment
    /// As the dialect calls it: `EVENT`.
    var name: String
    /// The id of the subscription; empty where there is none.
    var subscription: [UInt8]
    /// What all deliveries of one publication share; nil without.
    var shared: UInt64?
    /// It was joined to this publication by topic and payload, not by an id.
    var isInferred: Bool
    var isRetained: Bool
    /// The messages of other publications that it fits as well.
    var rivals: [UInt64]
    /// Not all of these came: it may be of one of them.
    var isContested = false
  }

  /// The line of the message.
  var line: [UInt8]
  /// Number of the session that published it.
  var publisher: Int
  var sent: TraceMoment
  var dialect: String
  var name: String
  var topic: [UInt8]
  /// A digest of its payload.
  var payload: UInt64
  /// Bytes of the message as it was sent; 0 where that is not known.
  var size: Int
  var distribution: Distribution
  var awaitsAnswer: Bool
  /// The line of the answer, which may be a refusal.
  var answerLine: [UInt8] = []
  var answered: TraceMoment?
  var isRefused = false
  /// Why; empty where that is not said.
  var refusal: [UInt8] = []
  /// The id that the deliveries have, too; nil where that is not known.
  var id: UInt64?
  var deliveries: [Delivery] = []
  /// By session, what came there for another publication that says the same, or for this one.
  var contested: [Int: TraceMoment] = [:]
  var isSelected: Bool
}

extension TracePublication {
  /// How well a delivery that says the same fits. What is certain excludes, what is likely ranks.
  enum Fit: Int, Comparable {
    /// By what is known it should not have come, or long before.
    case unlikely
    case likely
    /// It also has the quality that the subscription was granted.
    case exact

    static func < (one: Fit, other: Fit) -> Bool { one.rawValue < other.rawValue }
  }

  /// What a server passes on later than this had to wait for something; nanoseconds.
  private static let delay: Int64 = 5_000_000_000

  /// - Returns: nil when a session cannot get it so.
  func fit(
    _ number: Int, _ member: TraceMember, _ act: Distribution, at moment: TraceMoment
  ) -> Fit? {
    if let sent = distribution.quality, let came = act.quality, sent < came { return nil }
    let matching = member.subscriptions.filter { $0.filter.matches(topic.span.bytes) }
    if number == publisher {
      if distribution.ownExclusion.utf8CodeUnitCount > 0 { return nil }
      if !matching.isEmpty && matching.allSatisfy(\.filter.refusesOwn) { return nil }
    }
    if distribution.restrictions.contains(where: { $0.excludes(member.identity) == true }) {
      return nil
    }
    // In an open transaction it reaches nobody, unless its COMMIT was not captured.
    if !distribution.transaction.isEmpty { return .unlikely }
    if let waited = moment.since(sent), waited > Self.delay { return .unlikely }
    let open = matching.filter {
      let state = $0.state(at: sent.index)
      return state == .active || state == .asked
    }
    if open.isEmpty && !matching.isEmpty { return .unlikely }
    let isExact = open.contains { one in
      guard let most = one.quality, let sent = distribution.quality else { return false }
      return act.quality == min(sent, most)
    }
    return isExact ? .exact : .likely
  }
}
