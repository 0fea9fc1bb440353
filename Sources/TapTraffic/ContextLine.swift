// SPDX-License-Identifier: Apache-2.0

/// Where a line of a log, or a part of it, stands that is around messages.
public struct ContextLine: Sendable, BitwiseCopyable {
  public var origin: Origin
  /// So many bytes at its beginning say when it was written, as its origin does.
  public var stamp = 0

  public init(_ origin: Origin, stamp: Int = 0) { (self.origin, self.stamp) = (origin, stamp) }
}
