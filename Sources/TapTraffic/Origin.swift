// SPDX-License-Identifier: Apache-2.0

/// Where in the evidence something was found. Numbers only.
@frozen public struct Origin: Sendable, BitwiseCopyable {
  /// The capture time of the record.
  public var time: Instant
  /// Number of the record (packet) in its input, from 1; 0 when the evidence has no records.
  public var record: UInt64
  /// Offset in the stream of this direction, or in the input where there is no stream.
  public var offset: UInt64
  /// The transport's number for the flow, reused after the flow is closed; 0 when there is none.
  public var flow: UInt32
  /// Which input, from 0, in the order they were named.
  public var input: UInt16
  public var direction: Direction
  /// The digits of `precision`, and a bit for each flag below.
  @usableFromInline var clock: UInt8

  /// Decimal digits of a second that the clock of the evidence resolves: 6 for microseconds.
  @inlinable public var precision: UInt8 {
    get { clock & 0x0F }
    set { clock = clock & 0xF0 | newValue & 0x0F }
  }

  /// The evidence does not say the time zone; the time was taken as UTC.
  @inlinable public var isLocal: Bool {
    get { clock & 0x80 != 0 }
    set { clock = newValue ? clock | 0x80 : clock & 0x7F }
  }

  /// The record is a line of a log.
  @inlinable public var isLine: Bool {
    get { clock & 0x40 != 0 }
    set { clock = newValue ? clock | 0x40 : clock & 0xBF }
  }

  /// The evidence does not say the year, which was taken as 1970.
  @inlinable public var lacksYear: Bool {
    get { clock & 0x20 != 0 }
    set { clock = newValue ? clock | 0x20 : clock & 0xDF }
  }

  /// The evidence does not even say the day.
  @inlinable public var lacksDate: Bool {
    get { clock & 0x10 != 0 }
    set { clock = newValue ? clock | 0x10 : clock & 0xEF }
  }

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
    clock = precision & 0x0F
  }
}

extension Origin {
  /// The clock is too coarse to tell milliseconds.
  public var isCoarse: Bool { precision < 3 }

  /// Nanoseconds since an earlier time of the same clock; of a coarse clock, as many as have passed
  /// at least. Nil when a time is not known.
  public func leastSince(_ began: Instant) -> Int64? {
    guard began.isKnown, time.isKnown else { return nil }
    let passed = time.nanoseconds &- began.nanoseconds
    return isCoarse ? passed &- Int64(Joined.tick(precision)) : passed
  }

  /// Whether this was captured before the other, as far as anybody can tell.
  public func isBefore(_ other: Origin) -> Bool {
    if time.isKnown && other.time.isKnown && time != other.time { return time < other.time }
    return input == other.input && record < other.record
  }
}
