// SPDX-License-Identifier: Apache-2.0

/// What a reader makes of the bytes of a body that it was lent until now.
@frozen public struct HTTPBodyUse: Sendable, BitwiseCopyable {
  /// Held back, as the message that they begin is not whole; all that were held before are in it.
  public var held = 0
  /// Of those lent last: they belong to a message that lacks other bytes.
  public var incomplete = 0
  /// They carry no message: of those lent last, and of those held before that they end.
  public var passed = 0

  @inlinable public init(held: Int = 0, incomplete: Int = 0, passed: Int = 0) {
    (self.held, self.incomplete, self.passed) = (held, incomplete, passed)
  }
}
