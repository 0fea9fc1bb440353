// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// How often messages of each side were lost.
public struct SideLosses: Sendable, BitwiseCopyable, Equatable {
  private var ofClient: UInt32 = 0
  private var ofServer: UInt32 = 0

  public init() {}

  /// - Parameter direction: whose messages; unknown for those of either side.
  public mutating func add(_ direction: Direction) {
    if direction != .toClient { ofClient &+= 1 }
    if direction != .toServer { ofServer &+= 1 }
  }

  /// Those of the side that sends in this direction.
  public subscript(direction: Direction) -> UInt32 {
    direction == .toClient ? ofServer : ofClient
  }
}
