// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// Programs that print what they send and receive in several layers, as messages, as frames and as
/// bytes, print the same several times. The uppermost tells it; which one that is, the first lines
/// show.
enum LogLayers {
  /// Lines that wait for it.
  static let most = 4

  /// A line that waits.
  struct Line {
    /// In `LogFormats.all`.
    var format: Int
    /// Of its rule.
    var layer: UInt8
    var line: [UInt8]
    /// The line before it.
    var before: [UInt8]
    var origin: Origin
    /// Lines that it consists of.
    var height: UInt64
  }
}
