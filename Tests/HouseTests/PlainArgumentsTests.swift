// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Testing

@testable import wamptap

/// Command lines that are read without the argument parser are read as it reads them.
@Suite("Plain arguments") struct PlainArgumentsTests {
  @Test(
    "both agree",
    arguments: [
      ["[33,11,5862354]"], ["input.pcap"], ["a.log", "a.log.1"], ["b'\\x81\\x8f'"], ["a b"],
      ["-v", "[33,11,5862354]"], ["input.pcap", "-v"], ["-vv", "x"], ["-v", "x", "-v"],
      ["-q", "x"], ["x", "-q", "-q"], ["-x", "x"], ["-o", "ndjson", "x"], ["x", "-o", "text"],
      ["-v", "-x", "-q", "-o", "ndjson", "x", "y"], ["showing"], ["/dev/stdin"], ["{\"a\":1}"],
      ["=", "é", " "],
    ])
  func agreement(words: [String]) throws {
    let plain = try #require(PlainArguments(words)).show
    let parsed = try #require(try Wamptap.parseAsRoot(words) as? Show)
    // Wrappers describe their values.
    #expect(String(describing: plain) == String(describing: parsed))
    #expect(!String(describing: plain).contains("*definition*"))
  }

  @Test(
    "what is left to the parser",
    arguments: [
      [], ["-v"], ["-"], [""], ["--", "x"], ["-r", "x"], ["stats"], ["stats", "x"], ["help"],
      ["x", "flow"], ["show", "x"], ["-o"], ["x", "-o"], ["-o", "mermaid", "x"], ["-o", "-v", "x"],
      ["-o", "text", "-o", "ndjson", "x"], ["-qv", "x"], ["-vvv", "x"], ["-ondjson", "x"],
      ["--version"], ["-1"], ["--quiet", "x"],
    ])
  func others(words: [String]) {
    #expect(PlainArguments(words) == nil)
  }

  @Test("no command's name is derived from its type, which costs a third of the start-up")
  func names() {
    for command in Wamptap.configuration.subcommands {
      #expect(command.configuration.commandName != nil, "\(command)")
    }
  }
}
