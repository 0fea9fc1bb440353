// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// What a message does to who gets what: a dialect reads it for renderers that wish for it.
public struct Distribution: Sendable {
  public enum Act: UInt8, Sendable, BitwiseCopyable {
    case none
    /// A session is there, and who it is.
    case joins
    /// A session says that it goes.
    case leaves
    /// Asks for what is published to topics.
    case subscribes
    /// Answers that: a subscription has an id now, or filters were refused.
    case grants
    /// Wants no more of it.
    case unsubscribes
    case publishes
    /// Brings what somebody has published.
    case delivers
    /// Asks somebody else for an answer, through a router.
    case calls
  }

  /// Who may get what is published: an option that names sessions.
  public struct Restriction: Sendable {
    /// As the specification has it: `exclude_authid`.
    public var option: StaticString
    /// By which name of an identity they are named: `authid`.
    public var name: StaticString
    public var values: [[UInt8]]
    /// Only these get it; otherwise all but these.
    public var isExclusive: Bool

    public init(
      _ option: StaticString, _ name: StaticString, _ values: [[UInt8]], isExclusive: Bool
    ) {
      (self.option, self.name, self.values) = (option, name, values)
      self.isExclusive = isExclusive
    }

    /// Whether it keeps a session of this identity from getting it; nil when the identity is not
    /// known well enough.
    public func excludes(_ identity: [Name]) -> Bool? {
      guard let own = identity.first(where: { $0.name.equals(name) }) else { return nil }
      return values.contains(own.value) != isExclusive
    }
  }

  /// One thing that says who a session is: `authid alice`.
  public struct Name: Sendable {
    public var name: StaticString
    public var value: [UInt8]

    public init(_ name: StaticString, _ value: [UInt8]) { (self.name, self.value) = (name, value) }
  }

  public var act: Act
  /// Topics that are asked for or given up.
  public var filters: [TopicFilter] = []
  /// The id of a subscription within its session, as it was sent; empty where it has none.
  public var subscription: [UInt8] = []
  /// For each filter in its order why it was refused, empty for those that were not. No entry
  /// stands for filters that were all granted.
  public var refusals: [[UInt8]] = []
  public var identity: [Name] = []
  /// The session goes on from an earlier connection, with the subscriptions that it had.
  public var isResumed = false
  /// The publisher does not get what it publishes, by this option of the specification; empty where
  /// it does.
  public var ownExclusion: StaticString = ""
  public var restrictions: [Restriction] = []
  /// It was published before it was subscribed to, and kept for that.
  public var isRetained = false

  public init(_ act: Act) { self.act = act }
}
