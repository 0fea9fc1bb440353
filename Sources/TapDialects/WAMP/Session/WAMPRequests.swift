// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The requests of one session that wait for their answer, and those that had it lately.
///
/// Keys are the space of the link, which is the code of the message that asks, and the request.
struct WAMPRequests {
  struct Traits: OptionSet, Sendable, BitwiseCopyable {
    let rawValue: UInt16
    /// More parts of the request may follow under the same id.
    static let isInParts = Traits(rawValue: 1)
    /// The caller takes results in parts.
    static let takesProgress = Traits(rawValue: 2)
    static let hadProgress = Traits(rawValue: 4)
    /// CANCEL or INTERRUPT was sent for it.
    static let isCanceled = Traits(rawValue: 8)
    /// It came in parts.
    static let hadParts = Traits(rawValue: 16)
    /// SUBSCRIBE or REGISTER of a pattern.
    static let isPattern = Traits(rawValue: 32)
    /// SUBSCRIBE asks for events from before.
    static let takesRetained = Traits(rawValue: 64)
    /// PUBLISH to a topic that the session is subscribed to, without asking for its own event.
    static let isOwnTopic = Traits(rawValue: 128)
    /// SUBSCRIBE to a topic of the router itself, or CALL of a procedure of its own.
    static let isMeta = Traits(rawValue: 256)
    /// INVOCATION whose answer the router does not wait for, but may get.
    static let isGivenUp = Traits(rawValue: 512)
  }

  struct Request: Sendable, BitwiseCopyable {
    var time: Instant
    /// What an UNSUBSCRIBE or UNREGISTER is to end; of the others the fingerprint of their URI,
    /// where it is needed.
    var object: UInt64 = 0
    /// Milliseconds that a CALL gives; 0 for all the time there is, and for more than a month.
    var timeout: UInt32 = 0
    var traits: Traits = []
    /// How REGISTER wants calls to be shared: an index of `policies`.
    var policy: UInt8 = 0
  }

  private struct Closed {
    var space: UInt8
    var id: UInt64
    var traits: Traits
  }

  private var open = WAMPOpenRequests()
  /// A ring of those that were closed last.
  private var closed = ContiguousArray<Closed>()
  private var oldest = 0
  /// Of those that are open, SUBSCRIBE.
  private var subscribing = 0
  private static let closedCount = 64

  /// The ways in which REGISTER may want calls to be shared; the last is any other.
  static let policies: [StaticString] = [
    "single", "roundrobin", "random", "first", "last", "other",
  ]

  /// The kinds of request there are: codes of messages.
  static let spaces: [UInt8] = [
    WAMPSpace.publish, WAMPSpace.subscribe, WAMPSpace.unsubscribe, WAMPSpace.call,
    WAMPSpace.register, WAMPSpace.unregister, WAMPSpace.invocation,
  ]

  var count: Int { open.count }

  /// Whether it was not open yet.
  @inline(__always)
  mutating func begin(_ space: UInt8, _ id: UInt64, _ request: Request) -> Bool {
    let isNew = open.insert(space, id, request)
    if isNew && space == WAMPSpace.subscribe { subscribing &+= 1 }
    return isNew
  }

  /// The request that is answered for good; nil when none is open.
  @inline(__always)
  mutating func end(_ space: UInt8, _ id: UInt64) -> Request? {
    guard let request = open.remove(space, id) else { return nil }
    if space == WAMPSpace.subscribe { subscribing &-= 1 }
    let entry = Closed(space: space, id: id, traits: request.traits)
    if closed.count < Self.closedCount {
      closed.append(entry)
    } else {
      closed[oldest] = entry
      oldest = (oldest &+ 1) % Self.closedCount
    }
    return request
  }

  subscript(space: UInt8, id: UInt64) -> Request? { open[space, id] }

  /// Adds to what is known of an open request; whether there is one.
  mutating func mark(_ space: UInt8, _ id: UInt64, _ traits: Traits) -> Bool {
    open.update(space, id) { $0.traits.formUnion(traits) }
  }

  /// The last part of a request has come.
  mutating func complete(_ space: UInt8, _ id: UInt64) {
    _ = open.update(space, id) { $0.traits.remove(.isInParts) }
  }

  /// What was known of a request that was closed a short while ago.
  func recent(_ space: UInt8, _ id: UInt64) -> Traits? {
    closed.last { $0.space == space && $0.id == id }?.traits
  }

  /// Whether an answer came for a request that was given up; it is no surprise, but a second is.
  mutating func takeGivenUp(_ space: UInt8, _ id: UInt64) -> Bool {
    let place = closed.lastIndex {
      $0.space == space && $0.id == id && $0.traits.contains(.isGivenUp)
    }
    guard let place else { return false }
    closed[place].traits.remove(.isGivenUp)
    return true
  }

  /// The kind of another request of the client that is open under the same id.
  func otherKind(_ space: UInt8, _ id: UInt64) -> UInt8? {
    Self.spaces.first { $0 != space && $0 != WAMPSpace.invocation && self[$0, id] != nil }
  }

  /// All of a kind that are open, by id.
  func all(_ space: UInt8) -> [(id: UInt64, request: Request)] { open.all(space) }

  /// Whether any SUBSCRIBE is open.
  var isSubscribing: Bool { subscribing > 0 }

  mutating func forget() { self = WAMPRequests() }
}
