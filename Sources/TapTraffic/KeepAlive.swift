// SPDX-License-Identifier: Apache-2.0

/// What one side has agreed to send so that the other knows it is alive, and whether it did.
/// Reported once, when the conversation ends.
public struct KeepAlive: Sendable {
  /// As it stands in `protocol` of the NDJSON output.
  public var dialect: StaticString
  /// The direction of the signals: their sender is the side that has to send.
  public var direction: Direction
  /// Nanoseconds after which the next signal is due.
  public var interval: Int64
  /// Messages that were sent only to keep the connection alive.
  public var signals: UInt64
  /// The longest silence of this side, in nanoseconds.
  public var longestSilence: Int64
  /// How often the silence was longer than the protocol allows.
  public var missed: UInt64

  public init(_ dialect: StaticString, _ direction: Direction, interval: Int64) {
    (self.dialect, self.direction, self.interval) = (dialect, direction, interval)
    (signals, longestSilence, missed) = (0, 0, 0)
  }
}
