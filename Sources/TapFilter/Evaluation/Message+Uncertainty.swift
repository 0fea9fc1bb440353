// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

extension Message {
  /// Whether pieces of it were not captured.
  @usableFromInline var isUncertain: Bool { !traits.isDisjoint(with: [.isPartial, .hidesText]) }

  /// Whether it may be any message: pieces of it were not captured, and no dialect could read the
  /// rest.
  @inlinable public var isUnread: Bool { traits.contains(.isUnclaimed) && isUncertain }

  /// Whether it may answer any request of its connection.
  @inlinable public var mayAnswerAny: Bool {
    isUnread || traits.contains(.isPartial) && first.role == .none
  }
}
