// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Reads evidence until it ends, and writes out what is rendered of it.
protocol MainLoop {
  /// Evidence that could not be read, or not to its end.
  var failures: Int { get }
  /// Why it was not read to its end.
  var stop: Summary.Stop? { get }
  /// Reads until all of it has ended, or it is to stop.
  mutating func run(onto engine: any EvidenceSink) throws
  /// Nothing of the progress stays on the screen.
  mutating func clearProgress()
}
