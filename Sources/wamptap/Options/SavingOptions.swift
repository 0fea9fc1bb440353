// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// Where the packets of what matches are written.
struct SavingOptions: ParsableArguments {
  @Option(
    name: .customLong("save"),
    help: ArgumentHelp(
      "Write the packets of what matches as pcapng, for Wireshark.", valueName: "file"),
    completion: .file())
  var path: String?

  @Option(
    help: ArgumentHelp(
      "What --save writes: whole connections, or the packets of exchanges or messages.",
      valueName: "extent"))
  var keep = SavedExtent.connection

  func validate() throws {
    if path == "" { throw ValidationError("--save takes the name of a file") }
    if keep != .connection && path == nil {
      throw ValidationError("--keep belongs to --save FILE")
    }
  }
}
