// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Counts what is published in a realm, and whether any session receives it. That is certain only
/// when all sessions have ended, as an EVENT may be delayed for long.
struct WAMPReceivers {
  /// A session, by its number in the realm, and a topic to which it publishes.
  struct Source: Sendable, BitwiseCopyable {
    var publisher: UInt64
    var topic: UInt64

    fileprivate var key: WideKey { WideKey(publisher, topic) }
  }

  /// What one session has published to one topic.
  struct Count: Sendable, BitwiseCopyable {
    /// Publications of which PUBLISHED came, so that their EVENTs can be recognised by the
    /// publication id; and how many of them a session received.
    var acknowledged: UInt32 = 0
    var heard: UInt32 = 0
    /// Publications that were forgotten before any session received them.
    var forgotten: UInt32 = 0
    /// All others.
    var unacknowledged: UInt32 = 0
    /// The session id.
    var id: UInt64 = 0
    /// The latest PUBLISH.
    var origin: Origin
  }

  /// Publications to a topic that no captured session received.
  struct Silence {
    var topic: [UInt8]
    var count: Count
    var unheard: Int
  }

  /// By session and topic.
  private var counts = IDTable<Count>(minimumCapacity: 1)
  /// For each topic published to: whether an EVENT came that cannot be assigned to one publication.
  private var topics = IDTable<Bool>(minimumCapacity: 1)
  private var names: [UInt64: [UInt8]] = [:]
  private let allowance: Allowance

  /// Longer topics are not kept, and not reported.
  private static let mostOctets = 256

  init(_ allowance: Allowance) { self.allowance = allowance }

  private static func key(_ topic: UInt64) -> WideKey { WideKey(0, topic) }

  /// PUBLISH.
  ///
  /// - Parameter isWatched: whether the EVENT would be seen if it came to the other sessions.
  /// - Returns: false when there is no room for one more topic.
  mutating func publish(
    _ topic: UInt64, _ name: RawSpan, by visitor: UInt64, _ id: UInt64, isWatched: Bool,
    at origin: Origin
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
    counts[slot: slot].unacknowledged &+= 1
    counts[slot: slot].origin = origin
    return true
  }

  /// ERROR of a PUBLISH: no EVENT will come of it.
  mutating func refuse(_ source: Source) {
    if let slot = counts.slot(of: source.key), counts[slot: slot].unacknowledged > 0 {
      counts[slot: slot].unacknowledged &-= 1
    }
  }

  /// PUBLISHED.
  mutating func acknowledge(_ source: Source) {
    guard let slot = counts.slot(of: source.key), counts[slot: slot].unacknowledged > 0 else {
      return
    }
    counts[slot: slot].unacknowledged &-= 1
    counts[slot: slot].acknowledged &+= 1
  }

  /// The first EVENT of a publication.
  mutating func hear(_ source: Source) {
    if let slot = counts.slot(of: source.key) {
      counts[slot: slot].heard &+= 1
    }
  }

  /// A publication is forgotten before an EVENT of it came.
  mutating func forget(_ source: Source) {
    if let slot = counts.slot(of: source.key) {
      counts[slot: slot].forgotten &+= 1
    }
  }

  /// An EVENT of which only the topic is known.
  ///
  /// - Returns: whether a captured session has published to the topic.
  mutating func hear(_ topic: UInt64) -> Bool {
    guard let slot = topics.slot(of: Self.key(topic)) else { return false }
    topics[slot: slot] = true
    return true
  }

  /// A retained EVENT: earlier publications may still reach later subscribers, so this topic is not
  /// reported.
  mutating func replay(_ topic: UInt64) { names[topic] = nil }

  /// Returns what no session received, in the order of the sessions, and forgets everything.
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
