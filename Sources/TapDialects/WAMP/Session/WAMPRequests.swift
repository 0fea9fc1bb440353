// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The requests of one session that wait for their answer, and the recently answered ones.
///
/// Keys are the link's space, which is the code of the requesting message, and the request id.
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
    /// SUBSCRIBE asks for retained events.
    static let takesRetained = Traits(rawValue: 64)
    /// PUBLISH to a topic that the session is subscribed to, without asking for its own event.
    static let isOwnTopic = Traits(rawValue: 128)
    /// SUBSCRIBE to one of the router's own topics, or CALL of one of its own procedures.
    static let isMeta = Traits(rawValue: 256)
  }

  struct Request: Sendable, BitwiseCopyable {
    var time: Instant
    /// For UNSUBSCRIBE and UNREGISTER the id to end; for others the URI's fingerprint, where
    /// needed.
    var object: UInt64 = 0
    /// The timeout of a CALL in milliseconds; 0 for none, and for more than a month.
    var timeout: UInt32 = 0
    var traits: Traits = []
    /// The invocation policy of REGISTER: an index of `policies`.
    var policy: UInt8 = 0
  }

  private struct Closed {
    var space: UInt8
    var id: UInt64
    var traits: Traits
  }

  private var open = WAMPOpenRequests()
  /// A ring of the requests that were closed last.
  private var closed = ContiguousArray<Closed>()
  private var oldest = 0
  /// The number of open SUBSCRIBE requests.
  private var subscribing = 0
  private static let closedCount = 64
  /// How many of the closed requests came in parts.
  private var closedParts = 0

  /// The invocation policies of REGISTER; the last stands for any other.
  static let policies: [StaticString] = [
    "single", "roundrobin", "random", "first", "last", "other",
  ]

  /// The kinds of requests: message codes.
  static let spaces: [UInt8] = [
    WAMPSpace.publish, WAMPSpace.subscribe, WAMPSpace.unsubscribe, WAMPSpace.call,
    WAMPSpace.register, WAMPSpace.unregister, WAMPSpace.invocation,
  ]

  var count: Int { open.count }

  /// Opens a request; false when one with this id was open already.
  @inline(__always)
  mutating func begin(_ space: UInt8, _ id: UInt64, _ request: Request) -> Bool {
    let isNew = open.insert(space, id, request)
    if isNew && space == WAMPSpace.subscribe { subscribing &+= 1 }
    return isNew
  }

  /// Closes a request with its final answer; nil when none is open.
  @inline(__always)
  mutating func end(_ space: UInt8, _ id: UInt64) -> Request? {
    guard let request = open.remove(space, id) else { return nil }
    if space == WAMPSpace.subscribe { subscribing &-= 1 }
    if request.traits.contains(.hadParts) { closedParts &+= 1 }
    let entry = Closed(space: space, id: id, traits: request.traits)
    if closed.count < Self.closedCount {
      closed.append(entry)
    } else {
      if closed[oldest].traits.contains(.hadParts) { closedParts &-= 1 }
      closed[oldest] = entry
      oldest = (oldest &+ 1) % Self.closedCount
    }
    return request
  }

  subscript(space: UInt8, id: UInt64) -> Request? { open[space, id] }

  /// Adds traits to an open request; false when there is none.
  mutating func mark(_ space: UInt8, _ id: UInt64, _ traits: Traits) -> Bool {
    open.update(space, id) { $0.traits.formUnion(traits) }
  }

  /// A part of the answer has come: a timeout runs from here (wamp-proto, "Call Timeouts").
  mutating func progress(_ space: UInt8, _ id: UInt64, at time: Instant) {
    _ = open.update(space, id) { request in
      request.traits.insert(.hadProgress)
      if request.timeout > 0 { request.time = time }
    }
  }

  /// The last part of a request has come.
  mutating func complete(_ space: UInt8, _ id: UInt64) {
    _ = open.update(space, id) { $0.traits.remove(.isInParts) }
  }

  /// The traits of a recently closed request.
  func recent(_ space: UInt8, _ id: UInt64) -> Traits? {
    closed.last { $0.space == space && $0.id == id }?.traits
  }

  /// Whether this is one more part of a request that had its answer. Its sender had not seen the
  /// answer yet, and the receiver discards it (wamp-proto, "Progressive Call Invocations").
  func isLatePart(_ space: UInt8, _ id: UInt64) -> Bool {
    closedParts > 0 && open[space, id] == nil && recent(space, id)?.contains(.hadParts) == true
  }

  /// The kind of another request of the client that is open under the same id.
  func otherKind(_ space: UInt8, _ id: UInt64) -> UInt8? {
    Self.spaces.first { $0 != space && $0 != WAMPSpace.invocation && self[$0, id] != nil }
  }

  /// All open requests of a kind, sorted by id.
  func all(_ space: UInt8) -> [(id: UInt64, request: Request)] { open.all(space) }

  /// Whether any SUBSCRIBE is open.
  var isSubscribing: Bool { subscribing > 0 }

  mutating func forget() { self = WAMPRequests() }
}
