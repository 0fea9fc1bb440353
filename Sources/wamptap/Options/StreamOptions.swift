// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// How far to read, and how soon to show.
struct StreamOptions: ParsableArguments {
  @Option(
    name: [.customShort("c"), .customLong("count")],
    help: ArgumentHelp("Stop after this many messages.", valueName: "number"))
  var count: UInt64?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Stop after this time: 30s, 5m, 2h.", valueName: "time"))
  var span: TimeSpan?

  @Flag(
    name: [.customShort("l"), .customLong("line-buffered")],
    help: "Write each line as soon as it is known; live input always is.")
  var flushesLines = false

  @Flag(
    name: [.customShort("F"), .customLong("follow")],
    help: "Follow a growing file, also when it is rotated or truncated.")
  var follows = false

  func validate() throws {
    if count == 0 { throw ValidationError("-c takes a number of messages, 1 or more") }
  }
}
