// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// Which lines are shown.
struct FilterOptions: ParsableArguments {
  @Option(
    name: [.customShort("Y"), .customLong("display-filter")],
    help: ArgumentHelp(
      "Show only what matches, as 'latency > 200ms'; see 'wamptap explain filter'.",
      valueName: "expression"),
    completion: .custom { words, _, _ in FilterCompletion.candidates(words.last ?? "") })
  var filter: String?

  @Flag(
    name: .customLong("maybe"),
    help: "Show what may match, too, where what decides was not captured; marked '?'.")
  var showsPossible = false

  func validate() throws {
    if showsPossible && filter == nil {
      throw ValidationError("--maybe belongs to a filter: -Y 'latency > 200ms' --maybe")
    }
  }
}
