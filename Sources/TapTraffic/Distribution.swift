// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// How a message affects who receives what. A dialect makes it for renderers that ask for it.
public struct Distribution: Sendable {
  public enum Act: UInt8, Sendable, BitwiseCopyable {
    case none
    /// A session has opened, and its identity is known.
    case joins
    /// A session says that it leaves.
    case leaves
    /// Asks for what is published to some topics.
    case subscribes
    /// The answer: the subscription got an id, or filters were refused.
    case grants
    /// Gives a subscription up.
    case unsubscribes
    case publishes
    /// Brings what somebody published.
    case delivers
    /// What the session has published in a transaction counts now, or never will.
    case commits, aborts
    /// A call to another client, through a router.
    case calls
    /// Such a call, as the router passes it on.
    case invokes
  }

  /// An option of a publication that limits its receivers to certain sessions.
  public struct Restriction: Sendable {
    /// As the specification names it: `exclude_authid`.
    public var option: StaticString
    /// The part of an identity that it compares: `authid`.
    public var name: StaticString
    public var values: [[UInt8]]
    /// Only sessions with these values receive it; otherwise all sessions but these.
    public var isExclusive: Bool

    public init(
      _ option: StaticString, _ name: StaticString, _ values: [[UInt8]], isExclusive: Bool
    ) {
      (self.option, self.name, self.values) = (option, name, values)
      self.isExclusive = isExclusive
    }

    /// Whether it keeps a session with this identity from receiving the publication; nil when the
    /// identity lacks what it compares.
    public func excludes(_ identity: [Name]) -> Bool? {
      guard let own = identity.first(where: { $0.name.equals(name) }) else { return nil }
      return values.contains(own.value) != isExclusive
    }
  }

  /// One part of a session's identity: `authid alice`.
  public struct Name: Sendable {
    public var name: StaticString
    public var value: [UInt8]

    public init(_ name: StaticString, _ value: [UInt8]) { (self.name, self.value) = (name, value) }
  }

  public var act: Act
  /// Topics that are subscribed to or given up.
  public var filters: [TopicFilter] = []
  /// The subscription's id within its session, as it was sent; empty where it has none.
  public var subscription: [UInt8] = []
  /// For each filter, in order, why it was refused; empty for a filter that was granted. No entries
  /// at all when every filter was granted.
  public var refusals: [[UInt8]] = []
  /// The quality of service that a publication is sent or delivered with; nil without.
  public var quality: UInt8?
  /// For each filter, in order, the best quality that it was granted; no entries without.
  public var qualities: [UInt8] = []
  public var identity: [Name] = []
  /// The largest message that a session that joins takes, in bytes; nil without a limit.
  public var mostBytes: Int?
  /// Who published or called, where the router says it: a part of that session's identity.
  public var disclosed: Name?
  /// The session continues one of an earlier connection, and keeps its subscriptions.
  public var isResumed = false
  /// The option of the specification by which the publisher does not receive its own publication;
  /// empty when it does receive it.
  public var ownExclusion: StaticString = ""
  public var restrictions: [Restriction] = []
  /// The transaction that it belongs to; empty without.
  public var transaction: [UInt8] = []
  /// It was published before the subscription was made, and retained for it.
  public var isRetained = false

  public init(_ act: Act) { self.act = act }
}
