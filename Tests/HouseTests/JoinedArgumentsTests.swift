// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapTesting
import Testing

@testable import wamptap

/// Values right behind the letters of their options.
@Suite("Joined arguments") struct JoinedArgumentsTests {
  @Test(
    "come apart",
    arguments: [
      (["-c10", "x"], ["-c", "10", "x"]), (["-ilo", "-s0"], ["-i", "lo", "-s", "0"]),
      (["-rhello.pcap"], ["-r", "hello.pcap"]), (["-w-"], ["-w", "-"]),
      (["-Yname==EVENT", "x"], ["-Y", "name==EVENT", "x"]), (["-tu", "x"], ["-t", "u", "x"]),
      (["-vc10", "x"], ["-vc", "10", "x"]), (["-qvvondjson"], ["-qvvo", "ndjson"]),
      (["stats", "-ojson", "x"], ["stats", "-o", "json", "x"]),
    ])
  func joined(words: [String], apart: [String]) { #expect(JoinedArguments.apart(words) == apart) }

  @Test(
    "all others stay as they are",
    arguments: [
      [], ["x"], ["-"], ["-c", "10"], ["-vv", "x"], ["-vx"], ["-c=10"], ["--count=10"], ["-h"],
      ["-help"], ["-1"], ["[33,11,5862354]"], ["-r", "-c10"], ["-vr", "-c10"], ["--", "-c10"],
      ["-é"], [""], ["explain", "-32601"], ["-k1"],
    ])
  func others(words: [String]) { #expect(JoinedArguments.apart(words) == words) }

  @Test("the parser gets them") func parsed() throws {
    let words = JoinedArguments.apart([
      "-c10", "-tu", "-qvondjson", "-Yname==EVENT", "-rhello.pcap",
    ])
    let show = try #require(try Wamptap.parseAsRoot(words) as? Show)
    #expect(show.stream.count == 10 && show.output.time == .u && show.output.format == "ndjson")
    #expect(show.filtering.filter == "name==EVENT" && show.evidence.files == ["hello.pcap"])
    #expect(show.output.quiet && show.output.verbosity == 1)
  }

  /// A letter has a value in all subcommands, or in none.
  @Test("the letters are those that there are") func letters() throws {
    var (valued, flags): (Set<Character>, Set<Character>) = ([], [])
    for command in Wamptap.commands {
      let help = try Program.run([command, "--help"], in: Project.root).output
      for line in help.split(separator: "\n") {
        // `  -o, --output <format>   How to render …`
        guard let option = line.prefixMatch(of: #/  -(\w)(?:, --[\w-]+)*( <)?/#) else { continue }
        if option.2 == nil { flags.formUnion(option.1) } else { valued.formUnion(option.1) }
      }
    }
    #expect(valued == Set(JoinedArguments.valued))
    #expect(flags.subtracting("h") == Set(JoinedArguments.flags))
  }
}
