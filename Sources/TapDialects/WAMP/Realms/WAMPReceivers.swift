// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// What is published in a realm, and whether anybody gets it. It is known for certain only when all
/// sessions have ended: an EVENT may be on its way for long.
struct WAMPReceivers {
  /// A session, by its number in the realm, and a topic that it publishes to.
  struct Source: Sendable, BitwiseCopyable {
    var publisher: UInt64
    var topic: UInt64

    fileprivate var key: WideKey { WideKey(publisher, topic) }
  }

  /// What one session has published to one topic.
  struct Count: Sendable, BitwiseCopyable {
    /// With an acknowledgement, so that EVENTs are known by the publication; and of these, those
    /// that some session got.
    var acknowledged: UInt32 = 0
    var heard: UInt32 = 0
    /// Publications that are not remembered any more, and that no session had received.
    var forgotten: UInt32 = 0
    /// Without an acknowledgement.
    var unacknowledged: UInt32 = 0
    /// Of the session.
    var id: UInt64 = 0
    /// The latest.
    var origin: Origin
  }

  /// Publications on a topic that no captured session got.
  struct Silence {
    var topic: [UInt8]
    var count: Count
    var unheard: Int
  }

  /// By session and topic.
  private var counts = IDTable<Count>(minimumCapacity: 1)
  /// Topics that anybody has published to: whether an EVENT came that cannot be told to be of one
  /// publication.
  private var topics = IDTable<Bool>(minimumCapacity: 1)
  private var names: [UInt64: [UInt8]] = [:]
  private let allowance: Allowance

  /// Longer ones are not kept, and nothing is said of them.
  private static let mostOctets = 256

  init(_ allowance: Allowance) { self.allowance = allowance }

  private static func key(_ topic: UInt64) -> WideKey { WideKey(0, topic) }

  /// PUBLISH.
  ///
  /// - Parameter isWatched: whether the EVENT would be seen if it came to the other sessions.
  /// - Returns: false when there is no room for one more topic.
  mutating func publish(
    _ topic: UInt64, _ name: RawSpan, by visitor: UInt64, _ id: UInt64, isAcknowledged: Bool,
    isWatched: Bool, at origin: Origin
  ) -> Bool {
    let key = WideKey(visitor, topic)
    var slot = counts.slot(of: key)
    if slot == nil {
      if topics.slot(of: Self.key(topic)) == nil {
        guard allowance.take(1) else { return false }
        topics[Self.key(topic)] = false
      }
      if !isWatched || name.byteCount > Self.mostOctets { return true }
      guard allowance.take(1) else { return false }
      if names[topic] == nil { names[topic] = JSON.unescaped(name) }
      slot = counts.insert(Count(id: id, origin: origin), for: key).slot
    }
    guard isWatched, let slot else { return true }
    if isAcknowledged {
      counts[slot: slot].acknowledged &+= 1
    } else {
      counts[slot: slot].unacknowledged &+= 1
    }
    counts[slot: slot].origin = origin
    return true
  }

  /// ERROR of a PUBLISH: there is nothing to be got.
  mutating func refuse(_ source: Source) {
    if let slot = counts.slot(of: source.key) {
      counts[slot: slot].acknowledged &-= counts[slot: slot].acknowledged > 0 ? 1 : 0
    }
  }

  /// The first EVENT of a publication.
  mutating func hear(_ source: Source) {
    if let slot = counts.slot(of: source.key) {
      counts[slot: slot].heard &+= 1
    }
  }

  /// A publication is forgotten, and no EVENT of it came.
  mutating func forget(_ source: Source) {
    if let slot = counts.slot(of: source.key) {
      counts[slot: slot].forgotten &+= 1
    }
  }

  /// An EVENT with nothing known but its topic.
  ///
  /// - Returns: whether a session that was captured has published to it.
  mutating func hear(_ topic: UInt64) -> Bool {
    guard let slot = topics.slot(of: Self.key(topic)) else { return false }
    topics[slot: slot] = true
    return true
  }

  /// A retained EVENT: what was published before may yet reach those who subscribe later.
  mutating func replay(_ topic: UInt64) { names[topic] = nil }

  /// What no session has received, in the order of the sessions; everything is forgotten.
  mutating func end() -> [Silence] {
    var silences: [(visitor: UInt64, silence: Silence)] = []
    counts.forEach { key, count in
      let isHeard = topics[Self.key(key.low)] ?? true
      var unheard = Int(count.acknowledged) - Int(count.heard)
      if isHeard { unheard -= Int(count.forgotten) } else { unheard += Int(count.unacknowledged) }
      guard unheard > 0, let name = names[key.low] else { return }
      silences.append((key.high, Silence(topic: name, count: count, unheard: unheard)))
    }
    forget()
    return silences.sorted {
      $0.visitor != $1.visitor
        ? $0.visitor < $1.visitor : $0.silence.topic.lexicographicallyPrecedes($1.silence.topic)
    }.map(\.silence)
  }

  mutating func forget() {
    allowance.give(counts.count + topics.count)
    self = WAMPReceivers(allowance)
  }
}
