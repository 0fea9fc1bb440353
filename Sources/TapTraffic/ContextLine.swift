// SPDX-License-Identifier: Apache-2.0

/// Where a line of a log stands, or a part of one, that is shown as context of messages.
public struct ContextLine: Sendable, BitwiseCopyable {
  public var origin: Origin
  /// Length in bytes of the time stamp that the line begins with; `origin` has the same time.
  public var stamp = 0

  public init(_ origin: Origin, stamp: Int = 0) { (self.origin, self.stamp) = (origin, stamp) }
}
