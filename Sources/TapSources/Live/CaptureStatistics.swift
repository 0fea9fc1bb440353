// SPDX-License-Identifier: Apache-2.0

/// Counts of the packets of one interface during its capture.
public struct CaptureStatistics: Sendable, Equatable {
  /// Packets that the kernel matched with the filter; on Linux, this includes those that it dropped
  /// for lack of room.
  public var received: UInt64 = 0
  /// Packets that the kernel had no room for, because they were not fetched in time.
  public var droppedByKernel: UInt64 = 0
  /// Packets that the interface or its driver dropped.
  public var droppedByInterface: UInt64 = 0
  /// Packets that reached this program.
  public var captured: UInt64 = 0
  /// Packets among these that it dropped because earlier ones were not decoded in time.
  public var droppedByProgram: UInt64 = 0

  public init() {}
}
