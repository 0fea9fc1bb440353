// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Lines that belong together, until a list ends.
struct LogGathering {
  var text = Scratch()
  var before: Scratch
  var end: ListEnd
  var origin: Origin
  /// Where the lines behind the first begin.
  var breaks: [Int] = []
}
