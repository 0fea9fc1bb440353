// SPDX-License-Identifier: Apache-2.0

/// Where in the evidence something was found. Numbers only.
@frozen public struct Origin: Sendable, BitwiseCopyable {
  /// The capture time of the record.
  public var time: Instant
  /// Number of the record (packet) in its input, from 1; 0 when the evidence has no records.
  public var record: UInt64
  /// Offset in the stream of this direction, or in the input where there is no stream.
  public var offset: UInt64
  /// The transport's number for the flow: small, and used again after the flow was closed.
  /// 0 when there is none.
  public var flow: UInt32
  /// Which input, from 0, in the order they were named.
  public var input: UInt16
  public var direction: Direction
  /// Decimal digits of a second that the clock of the evidence resolves: 6 for microseconds.
  public var precision: UInt8

  @inlinable public init(
    time: Instant = .unknown, record: UInt64 = 0, offset: UInt64 = 0, flow: UInt32 = 0,
    input: UInt16 = 0, direction: Direction = .unknown, precision: UInt8 = 6
  ) {
    self.time = time
    self.record = record
    self.offset = offset
    self.flow = flow
    self.input = input
    self.direction = direction
    self.precision = precision
  }
}
