// SPDX-License-Identifier: Apache-2.0

/// What became of the packets of one interface while it was captured.
public struct CaptureStatistics: Sendable, Equatable {
  /// Packets that the kernel matched with the filter, as it counts them: with those that it dropped
  /// where there was no room, on Linux.
  public var received: UInt64 = 0
  /// Packets that the kernel had no room for, because they were not fetched in time.
  public var droppedByKernel: UInt64 = 0
  /// Packets that the interface or its driver dropped.
  public var droppedByInterface: UInt64 = 0
  /// Packets that came to this program.
  public var captured: UInt64 = 0
  /// Those of them that it had no room for, because what came before was not decoded in time.
  public var droppedByProgram: UInt64 = 0

  public init() {}
}
