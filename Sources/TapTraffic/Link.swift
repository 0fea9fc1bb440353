// SPDX-License-Identifier: Apache-2.0

/// What a message says about its place in a conversation. A dialect does not correlate messages: it
/// declares links, and one engine, which knows no dialect, joins them by key.
@frozen public struct Link: Sendable, BitwiseCopyable {
  public enum Role: UInt8, Sendable, BitwiseCopyable {
    case none
    /// Begins an exchange under this key (CALL). If one is open, the message belongs to it.
    case opens
    /// Begins an exchange; an exchange that is open under this key is forgotten (PING).
    case restarts
    /// Answers the exchange and ends it (RESULT).
    case answers
    /// Answers the exchange, which stays open (a progressive RESULT).
    case continues
    /// Belongs to the exchange without answering it (CANCEL).
    case mentions
    /// Gives this key a name: the subject of the request that the message answers (SUBSCRIBED).
    case names
    /// Is about the subject that the key was named with, unless that is a pattern (EVENT).
    case refers
    /// Is about the key itself, whatever its name is (UNSUBSCRIBE).
    case concerns
    /// Is one of several messages with this key; a subject that one of them has is the subject of
    /// all (the EVENTs of one publication).
    case shares
    /// Sends something that others may receive under this key (the SEND of STOMP). The last one
    /// counts.
    case sends
    /// Receives what was sent under this key. That is inferred, as the key is no id (MESSAGE).
    case delivers
    /// Is only shown (the session id of a WELCOME).
    case shows
  }

  public enum Scope: UInt8, Sendable, BitwiseCopyable {
    /// Meaningful within one session.
    case session
    /// Meaningful within one router, for all its sessions of one realm.
    case router
  }

  public var key: UInt64
  /// What the key is called in output: `request`, `subscription`. Empty when it is not shown.
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

  /// Of a message that belongs to no exchange. A message with a subject declares a link; the key of
  /// this one is never shown.
  @inlinable public static var unkeyed: Link { Link(.shows, "", 0, space: 0) }

  @inlinable public var isShown: Bool { role != .none && word.utf8CodeUnitCount > 0 }
}
