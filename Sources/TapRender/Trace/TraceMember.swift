// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// One session of a connection, as far as it has to do with who gets what.
struct TraceMember {
  let connection: UInt32
  let session: UInt16
  /// The address of the client, or who wrote the conversation down; empty when not known.
  var address: [UInt8] = []
  /// The server that it talks to; sessions of others get nothing of what it publishes.
  var server: [UInt8] = []
  /// The same without its port.
  var host: [UInt8] = []
  /// The realm or virtual host; empty when not known.
  var realm: [UInt8] = []
  var identity: [Distribution.Name] = []
  /// The largest message that it takes, in bytes; nil without a limit.
  var mostBytes: Int?
  /// Its messages stand in lines of a text, not in packets.
  var isOfText = false
  /// Its connection was captured from its beginning.
  var isFromStart = true
  /// The index of its first message.
  var began: UInt64 = 0
  /// It has subscriptions of an earlier connection.
  var isResumed = false
  var subscriptions: [TraceSubscription] = []
  /// Its end, and what ended it.
  var ended: TraceMoment?
  var ending = ""
  /// Where bytes of its connection are missing; from a limit on, the last one stands for several.
  var losses: [TraceMoment] = []
  /// Subscriptions that are not kept, as there are too many.
  var unreported = 0

  init(connection: UInt32, session: UInt16) {
    (self.connection, self.session) = (connection, session)
  }

  mutating func lose(_ moment: TraceMoment, _ limits: Limits) {
    if losses.count >= limits.tracedDeliveries { losses.removeLast() }
    losses.append(moment)
  }

  /// - Parameter direction: what may be missing was sent in this one.
  func firstLoss(since moment: TraceMoment, _ direction: Direction) -> TraceMoment? {
    losses.first { $0.index >= moment.index && $0.origin.direction != direction.reversed }
  }

  /// Whether both may talk to one server that listens on two ports.
  func isNear(_ other: TraceMember) -> Bool {
    !host.isEmpty && host == other.host && !realm.isEmpty && realm == other.realm
  }

  /// The same, also where neither shows a realm: not every protocol has them.
  func mayBeNear(_ other: TraceMember) -> Bool {
    !host.isEmpty && host == other.host && realm == other.realm
  }

  /// Whether both realms are known, and not the same.
  func isInOtherRealm(than other: TraceMember) -> Bool {
    !realm.isEmpty && !other.realm.isEmpty && realm != other.realm
  }

  /// Whether it is the session that a router names as publisher or caller; nil when its own
  /// identity was not captured.
  func isNamed(_ disclosed: Distribution.Name) -> Bool? {
    identity.first { $0.name.equals(disclosed.name) }.map { $0.value == disclosed.value }
  }

  /// `packet 31`, `line 7`; empty where the evidence has neither.
  func place(_ moment: TraceMoment) -> String {
    if moment.origin.record == 0 { return "" }
    return "\(moment.origin.isLine ? "line" : "packet") \(moment.origin.record)"
  }
}
