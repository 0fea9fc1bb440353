// SPDX-License-Identifier: Apache-2.0

/// What one side of a conversation has agreed to send so that the other knows it is there, and
/// what came of that. It is told once, when the conversation ends.
public struct KeepAlive: Sendable {
  /// As it stands in `protocol` of the machine output.
  public var dialect: StaticString
  /// Where it goes: who has to send.
  public var direction: Direction
  /// Nanoseconds after which something is due.
  public var interval: Int64
  /// Messages that were sent for this alone.
  public var signals: UInt64
  /// Nanoseconds of the longest silence of this side.
  public var longestSilence: Int64
  /// How often the silence was longer than the protocol allows.
  public var missed: UInt64

  public init(_ dialect: StaticString, _ direction: Direction, interval: Int64) {
    (self.dialect, self.direction, self.interval) = (dialect, direction, interval)
    (signals, longestSilence, missed) = (0, 0, 0)
  }
}
