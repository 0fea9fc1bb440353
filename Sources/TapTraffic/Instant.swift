// SPDX-License-Identifier: Apache-2.0

/// A point in capture time: nanoseconds since 1970-01-01 UTC. Formatted by renderers, never `Date`.
@frozen public struct Instant: Sendable, Hashable, Comparable, BitwiseCopyable {
  public var nanoseconds: Int64

  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The evidence carries no time (a pasted message).
  public static let unknown = Instant(nanoseconds: .min)

  @inlinable public var isKnown: Bool { nanoseconds != .min }

  /// Nil when either time is unknown; negative when this one is earlier.
  @inlinable public func nanoseconds(since other: Instant) -> Int64? {
    isKnown && other.isKnown ? nanoseconds &- other.nanoseconds : nil
  }

  @inlinable public static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}
