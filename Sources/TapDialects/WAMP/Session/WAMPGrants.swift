// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The subscriptions and registrations that the router granted to one session.
struct WAMPGrants {
  enum State: UInt8, Sendable, BitwiseCopyable {
    case held
    /// The client sent UNSUBSCRIBE or UNREGISTER.
    case leaving
  }

  struct Traits: OptionSet, Sendable, BitwiseCopyable {
    let rawValue: UInt8
    /// It is for all URIs that match a pattern.
    static let isPattern = Traits(rawValue: 1)
    /// SUBSCRIBE asked for retained events, or was not seen.
    static let mayTakeRetained = Traits(rawValue: 2)
    /// The session has published to the topic itself, unacknowledged.
    static let awaitsEcho = Traits(rawValue: 4)
    /// An EVENT of it has come.
    static let isHeard = Traits(rawValue: 8)
    /// The router itself publishes to it.
    static let isMeta = Traits(rawValue: 16)
    /// The router has refused to end it.
    static let isKept = Traits(rawValue: 32)
  }

  struct Grant: Sendable, BitwiseCopyable {
    var state = State.held
    var traits: Traits = []
    /// The invocation policy, an index of `WAMPRequests.policies`.
    var policy: UInt8 = 0
    /// How often it was requested: routers return the same id again.
    var uses: UInt32 = 0
    /// The fingerprint of its URI.
    var uri: UInt64 = 0
  }

  /// A topic that the session is subscribed to.
  struct Topic: Sendable, BitwiseCopyable {
    var subscription: UInt64
    /// How many PUBLISH the session has sent to it that do not ask for the own event.
    var published: UInt32 = 0
    /// Its own events may have come anyway.
    var isEchoed = false

    /// The session has published, and received none of its own events.
    var isSilent: Bool { published > 0 && !isEchoed }
  }

  private var grants = IDTable<Grant>(minimumCapacity: 1)
  private var topics = IDTable<Topic>(minimumCapacity: 1)
  /// The patterns of grants, and of pending requests.
  private var patterns: [WideKey: TopicFilter] = [:]
  /// A ring of the grants that ended last, by space and id.
  private var ended = ContiguousArray<WideKey>()
  private var oldest = 0
  private static let endedCount = 64

  var count: Int { grants.count &+ topics.count &+ patterns.count }

  /// - Parameter space: the link space of subscriptions or of registrations.
  @inline(__always)
  subscript(space: UInt8, id: UInt64) -> Grant? {
    get { grants[WideKey(UInt64(space), id)] }
    set { grants[WideKey(UInt64(space), id)] = newValue }
  }

  /// By the fingerprint of the topic.
  subscript(topic uri: UInt64) -> Topic? {
    get { topics[WideKey(0, uri)] }
    set {
      if let newValue {
        topics[WideKey(0, uri)] = newValue
      } else {
        _ = topics.removeValue(for: WideKey(0, uri))
      }
    }
  }

  /// By the space of a link, or the code of a request.
  subscript(pattern space: UInt8, id: UInt64) -> TopicFilter? {
    get { patterns[WideKey(UInt64(space), id)] }
    set { patterns[WideKey(UInt64(space), id)] = newValue }
  }

  var hasTopics: Bool { topics.count > 0 }
  var hasPatterns: Bool { !patterns.isEmpty }

  /// Grants that the client has not asked to end, sorted by id.
  func held(_ space: UInt8) -> [(id: UInt64, grant: Grant)] {
    if grants.count == 0 { return [] }
    var all: [(id: UInt64, grant: Grant)] = []
    grants.forEach { if $0.high == UInt64(space) && $1.state == .held { all.append(($0.low, $1)) } }
    return all.count < 2 ? all : all.sorted { $0.id < $1.id }
  }

  /// The URIs of registrations that have not ended.
  var registered: [UInt64] {
    var all: [UInt64] = []
    grants.forEach {
      if $0.high == UInt64(WAMPSpace.registration) { all.append($1.uri) }
    }
    return all
  }

  /// Topics to which the session has published without receiving its own events.
  func silent() -> [Topic] {
    var all: [Topic] = []
    topics.forEach { if $1.isSilent { all.append($1) } }
    return all.sorted { $0.subscription < $1.subscription }
  }

  mutating func end(_ space: UInt8, _ id: UInt64) {
    let key = WideKey(UInt64(space), id)
    guard let grant = grants.removeValue(for: key) else { return }
    if ended.count < Self.endedCount {
      ended.append(key)
    } else {
      ended[oldest] = key
      oldest = (oldest + 1) % Self.endedCount
    }
    if self[topic: grant.uri]?.subscription == id { self[topic: grant.uri] = nil }
    if grant.traits.contains(.isPattern) { self[pattern: space, id] = nil }
  }

  /// Whether it ended recently.
  func hasEnded(_ space: UInt8, _ id: UInt64) -> Bool {
    ended.contains(WideKey(UInt64(space), id))
  }

  /// Whether some ended grants may have been forgotten.
  var hasForgotten: Bool { ended.count == Self.endedCount }

  mutating func forget() { self = WAMPGrants() }
}
