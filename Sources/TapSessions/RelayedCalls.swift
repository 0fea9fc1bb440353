// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Names ids from calls that a router relays to a callee, in a capture that begins after the
/// callee's id was granted: the id stands for what the caller asked for. No id joins the two legs,
/// so this is inferred: the arguments match those of exactly one open call, and the caller's answer
/// has the same payload as the callee's.
struct RelayedCalls {
  private struct Call {
    var subject: Int32
    var payload: PayloadKey
  }

  private struct PayloadKey: Hashable {
    var router: UInt32
    var digest: Int
  }

  /// A relayed request, and the id whose name is wanted.
  private struct Relay {
    var call: UInt64
    var link: Link
    var place: Sessions.Membership
  }

  /// Open requests, by message index.
  private var calls: [UInt64: Call] = [:]
  private var byPayload: [PayloadKey: [UInt64]] = [:]
  /// By the index of the relaying message.
  private var relays: [UInt64: Relay] = [:]
  /// The callee's answer, by the caller's request.
  private var answers: [UInt64: (relay: Relay, digest: Int)] = [:]

  /// - Parameters:
  ///   - digest: of the payload.
  ///   - most: entries that are kept.
  /// - Returns: the id, where it is used, and its subject, once that is certain enough.
  mutating func note(
    _ message: Message, _ joined: Joined, digest: Int, at place: Sessions.Membership, most: Int
  ) -> (link: Link, place: Sessions.Membership, subject: Int32)? {
    if calls.count + relays.count + answers.count > most { self = RelayedCalls() }
    let isUp = message.origin.direction == .toServer
    if message.first.role == .opens {
      let key = PayloadKey(router: place.router, digest: digest)
      if isUp && joined.subject != 0 {
        calls[joined.index] = Call(subject: joined.subject, payload: key)
        byPayload[key, default: []].append(joined.index)
      } else if message.second.role == .refers, joined.subject == 0 || joined.isSubjectInferred,
        let open = byPayload[key], open.count == 1
      {
        relays[joined.index] = Relay(call: open[0], link: message.second, place: place)
      }
      return nil
    }
    if joined.answers == 0 { return nil }
    if isUp {
      if let relay = relays.removeValue(forKey: joined.answers) {
        answers[relay.call] = (relay, digest)
      }
      return nil
    }
    guard let call = calls.removeValue(forKey: joined.answers) else { return nil }
    byPayload[call.payload]?.removeAll { $0 == joined.answers }
    if byPayload[call.payload]?.isEmpty == true { byPayload[call.payload] = nil }
    guard let (relay, given) = answers.removeValue(forKey: joined.answers), given == digest else {
      return nil
    }
    return (relay.link, relay.place, call.subject)
  }

  mutating func renumber(_ number: (Int32) -> Int32) {
    for index in calls.keys { calls[index]!.subject = number(calls[index]!.subject) }
  }
}
