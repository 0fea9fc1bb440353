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
  /// Octets of them that are not in the text.
  var removed: [Int] = []
  /// What a collector of logs puts before each line.
  var prefix = 0
  /// The line is in parts, of which the next follows.
  var isInParts = false
  /// Lines below are octets, as long as they are indented.
  var isBlock = false
  /// Lines of others that came in between.
  var foreign = 0
}
