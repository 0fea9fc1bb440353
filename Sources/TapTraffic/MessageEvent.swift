// SPDX-License-Identifier: Apache-2.0

/// A message as renderers get it: decoded, joined with those before it, its secrets replaced.
@frozen public struct MessageEvent: ~Escapable {
  public let message: Message
  public let joined: Joined
  /// Where the ranges of the message lie.
  public let bytes: RawSpan
  public let notes: Span<Note>
  /// What the message is about; empty when not known.
  public let subject: RawSpan

  @_lifetime(copy bytes, copy notes, copy subject)
  @inlinable public init(
    _ message: Message, _ joined: Joined, _ bytes: RawSpan, _ notes: Span<Note>, subject: RawSpan
  ) {
    (self.message, self.joined) = (message, joined)
    (self.bytes, self.notes, self.subject) = (bytes, notes, subject)
  }
}
