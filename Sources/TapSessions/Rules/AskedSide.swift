// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// The spaces of links where either side may ask. Which side is asked is part of the key, as both
/// sides may use the same ids.
public enum AskedSide {
  public static let server: UInt8 = 1
  public static let client: UInt8 = 2
  public static let both: ClosedRange<UInt8> = server...client

  /// - Parameter direction: where the question goes; unknown counts as to the server.
  public static func space(askedTo direction: Direction) -> UInt8 {
    direction == .toClient ? client : server
  }
}
