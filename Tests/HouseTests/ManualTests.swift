// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// The manual page and the program say the same.
@Suite("Manual") struct ManualTests {
  private let manual: [String]

  init() throws { manual = try Project.text("man/wamptap.1").components(separatedBy: "\n") }

  /// `-o` and `--output`, as `show --help` lists them.
  private func offered() throws -> Set<String> {
    let outcome = try Program.run(["show", "--help"], in: Project.root)
    #expect(outcome.status == 0)
    var options: Set<String> = []
    for line in outcome.output.components(separatedBy: "\n") where line.hasPrefix("  -") {
      // `  -o, --output <format>   How to render …`
      let left = line.dropFirst(2).prefixMatch(of: /(?:-{1,2}[\w-]+(?:, )?)+/)?.0 ?? ""
      for name in left.matches(of: /-{1,2}\w[\w-]*/) { options.insert(String(name.0)) }
    }
    return options
  }

  /// The names behind `.It Fl`, as one types them.
  private var documented: Set<String> {
    var options: Set<String> = []
    for line in manual where line.hasPrefix(".It Fl ") {
      for word in line.dropFirst(7).split(separator: " ") {
        if word == "Ar" { break }
        if word != "," { options.insert("-" + word) }
      }
    }
    return options
  }

  @Test("documents the options that there are, and no others") func options() throws {
    let offered = try offered()
    #expect(offered.contains("--output") && offered.contains("-r"))
    #expect(offered.subtracting(documented).sorted() == [], "not documented")
    #expect(documented.subtracting(offered).sorted() == [], "not there")
  }

  @Test("the synopsis names no other options") func synopsis() throws {
    let start = try #require(manual.firstIndex(of: ".Sh SYNOPSIS"))
    let lines = manual[(start + 1)...].prefix { !$0.hasPrefix(".Sh ") }
    var named: Set<String> = []
    for line in lines where line.contains("Fl ") {
      for match in line.matches(of: /(?:Fl |\| )(-?[\w-]+)/) { named.insert("-" + match.1) }
    }
    #expect(named.contains("-r"))
    #expect(named.subtracting(documented).sorted() == [])
  }

  @Test("documents the environment that is read, and no other") func environment() {
    var read: Set<String> = []
    for file in Project.sources {
      for match in file.text.matches(of: /(?:getenv|environment)\(\s*"(\w+)"/) {
        read.insert(String(match.1))
      }
    }
    let told = Set(manual.filter { $0.hasPrefix(".It Ev ") }.map { String($0.dropFirst(7)) })
    #expect(read.contains("NO_COLOR"))
    #expect(read.subtracting(told).sorted() == [], "not documented")
    #expect(told.subtracting(read).sorted() == [], "not read")
  }

  @Test("names each kind of line of the machine output") func events() {
    let events = Project.sources.filter { $0.target == "TapRender" }
      .flatMap { $0.text.matches(of: /\{"event":"(\w+)"/).map { String($0.1) } }
    #expect(Set(events).count >= 4)
    for event in Set(events) {
      #expect(manual.contains { $0.hasPrefix(".It Li \(event)") }, "\(event)")
    }
  }
}
