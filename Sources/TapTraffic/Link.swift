// SPDX-License-Identifier: Apache-2.0

/// What a message declares about its place in a conversation. A dialect does not correlate; it
/// declares links, and one engine joins them by key, knowing no dialect.
@frozen public struct Link: Sendable, BitwiseCopyable {
  public enum Role: UInt8, Sendable, BitwiseCopyable {
    case none
    /// Begins an exchange under this key (CALL). Repeated while open, it continues it.
    case opens
    /// Begins an exchange; what was open under this key is forgotten (PING).
    case restarts
    /// Answers the exchange and ends it (RESULT).
    case answers
    /// Answers the exchange, which stays open (a progressive RESULT).
    case continues
    /// Belongs to the exchange without answering it (CANCEL).
    case mentions
    /// Gives this key a name: the subject of the exchange that the message answers (SUBSCRIBED).
    case names
    /// Is about what the key was named, unless that was a pattern (EVENT).
    case refers
    /// Is about the key itself, whatever it was named (UNSUBSCRIBE).
    case concerns
    /// Is one of the messages that share this key; whatever subject one of them has is the subject
    /// of all (the EVENTs of one publication).
    case shares
    /// Sends what others may get under this key (the SEND of STOMP). The last one counts.
    case sends
    /// Gets what was sent under this key before; that is inferred, as the key is no id (MESSAGE).
    case delivers
    /// Only to be shown (the session id of a WELCOME).
    case shows
  }

  public enum Scope: UInt8, Sendable, BitwiseCopyable {
    /// Meaningful within one session.
    case session
    /// Meaningful within one router, for all its sessions of one realm.
    case router
  }

  public var key: UInt64
  /// What people call the key: `request`, `subscription`. Empty when it is not to be shown.
  public var word: StaticString
  public var role: Role
  public var scope: Scope
  /// Keeps keys of different kinds apart; numbered by the dialect.
  public var space: UInt8

  @inlinable public init(
    _ role: Role, _ word: StaticString, _ key: UInt64, space: UInt8, scope: Scope = .session
  ) {
    self.role = role
    self.word = word
    self.key = key
    self.space = space
    self.scope = scope
  }

  @inlinable public static var none: Link { Link(.none, "", 0, space: 0) }

  @inlinable public var isShown: Bool { role != .none && word.utf8CodeUnitCount > 0 }
}
