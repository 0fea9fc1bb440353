// SPDX-License-Identifier: Apache-2.0

/// How a reader uses the bytes of a body that it was lent so far.
@frozen public struct HTTPBodyUse: Sendable, BitwiseCopyable {
  /// Bytes held back because their message is not whole yet, those held before included.
  public var held = 0
  /// Of the bytes lent last: those of a message that lacks other bytes.
  public var incomplete = 0
  /// Bytes that carry no message, of those lent last and of those held before.
  public var passed = 0

  @inlinable public init(held: Int = 0, incomplete: Int = 0, passed: Int = 0) {
    (self.held, self.incomplete, self.passed) = (held, incomplete, passed)
  }
}
