// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapInputs
import TapTesting
import Testing

/// The manual page and the program say the same.
@Suite("Manual") struct ManualTests {
  private let manual: [String]

  init() throws { manual = try Project.text("man/wamptap.1").components(separatedBy: "\n") }

  /// `show` and the like, as `--help` lists them.
  private static let commands: [String] = {
    let help = (try? Program.run(["--help"], in: Project.root).output) ?? ""
    let list = help.components(separatedBy: "SUBCOMMANDS:\n").last ?? ""
    return list.components(separatedBy: "\n").compactMap { line in
      line.prefixMatch(of: #/  ([a-z]+) /#).map { String($0.1) }
    }
  }()

  /// `-o` and `--output`, as `show --help` lists them.
  private func offered(by command: String) throws -> Set<String> {
    let outcome = try Program.run([command, "--help"], in: Project.root)
    #expect(outcome.status == 0)
    var options: Set<String> = []
    for line in outcome.output.components(separatedBy: "\n") where line.hasPrefix("  -") {
      // `  -o, --output <format>   How to render …`
      let left = line.dropFirst(2).prefixMatch(of: /(?:-{1,2}[\w-]+(?:, )?)+/)?.0 ?? ""
      for name in left.matches(of: /-{1,2}\w[\w-]*/) { options.insert(String(name.0)) }
    }
    return options
  }

  /// The part of the description that is about a subcommand: `show` has it up to the first
  /// subsection, each other one a subsection that begins with `.Nm Cm name`.
  private func description(of command: String) throws -> ArraySlice<String> {
    let start = try #require(manual.firstIndex(of: ".Sh DESCRIPTION"))
    let whole = manual[(start + 1)...].prefix { !$0.hasPrefix(".Sh ") }
    if command == "show" { return whole.prefix { !$0.hasPrefix(".Ss ") } }
    let first = try #require(
      whole.firstIndex(of: ".Nm Cm \(command)"), "\(command) is not described")
    return whole[first...].prefix { !$0.hasPrefix(".Ss ") }
  }

  /// The names behind `.It Fl`, as one types them: of a subcommand, and of the groups of options
  /// that its description refers to.
  private func documented(of command: String) throws -> Set<String> {
    let own = try description(of: command)
    var options = Self.options(in: own)
    for line in own where line.hasPrefix(".Sx ") && line.contains(/options|secrets/) {
      let group = line.dropFirst(4).prefix { $0 != "," && $0 != "." }
      let title = group.trimmingCharacters(in: .whitespaces)
      let start = try #require(manual.firstIndex(of: ".Ss \(title)"), "no group \(title)")
      let lines = manual[(start + 1)...].prefix { !Self.isHeading($0) }
      options.formUnion(Self.options(in: lines))
    }
    return options
  }

  private static func isHeading(_ line: String) -> Bool {
    line.hasPrefix(".Ss ") || line.hasPrefix(".Sh ")
  }

  private static func options(in lines: ArraySlice<String>) -> Set<String> {
    var options: Set<String> = []
    for line in lines where line.hasPrefix(".It Fl ") {
      for word in line.dropFirst(7).split(separator: " ") {
        if word == "Ar" { break }
        if word != "," { options.insert("-" + word) }
      }
    }
    return options
  }

  /// The form of a subcommand in the synopsis, from its `.Cm` to the next `.Nm`.
  private func synopsis(of command: String) throws -> ArraySlice<String> {
    let start = try #require(manual.firstIndex(of: ".Sh SYNOPSIS"))
    let whole = manual[(start + 1)...].prefix { !$0.hasPrefix(".Sh ") }
    let first = try #require(
      whole.firstIndex { $0 == ".Cm \(command)" || $0 == ".Op Cm \(command)" },
      "\(command) is not in the synopsis")
    return whole[first...].prefix { $0 != ".Nm" }
  }

  @Test("there are subcommands") func list() {
    #expect(Self.commands.contains("show") && Self.commands.contains("explain"))
  }

  @Test("documents the options that there are, and no others", arguments: commands)
  func options(_ command: String) throws {
    var offered = try offered(by: command)
    #expect(offered.contains("--help"))
    // Of the program as a whole; described once.
    if command != "show" { offered.remove("--version") }
    let documented = try documented(of: command)
    #expect(offered.subtracting(documented).sorted() == [], "not documented")
    #expect(documented.subtracting(offered).sorted() == [], "not there")
  }

  @Test("the synopsis names no other options", arguments: commands)
  func synopsis(_ command: String) throws {
    var named: Set<String> = []
    for line in try synopsis(of: command) where line.contains("Fl ") {
      for match in line.matches(of: /(?:Fl |\| )(-?[\w-]+)/) { named.insert("-" + match.1) }
    }
    let certain = [
      "show": "-o", "annotate": "-t", "interfaces": "--names", "doctor": "", "schema": "",
    ]
    let one = certain[command] ?? "--color"
    #expect(named.contains(one) || one.isEmpty && named.isEmpty)
    #expect(named.subtracting(try documented(of: command)).sorted() == [])
  }

  @Test("documents the environment that is read, and no other") func environment() {
    var read: Set<String> = []
    for file in Project.sources {
      for match in file.text.matches(of: /(?:getenv|environment)\(\s*"(\w+)"/) {
        read.insert(String(match.1))
      }
    }
    let reported = Set(manual.filter { $0.hasPrefix(".It Ev ") }.map { String($0.dropFirst(7)) })
    #expect(read.contains("NO_COLOR"))
    #expect(read.subtracting(reported).sorted() == [], "not documented")
    #expect(reported.subtracting(read).sorted() == [], "not read")
  }

  @Test("names each input format, and no other") func inputs() throws {
    let start = try #require(manual.firstIndex { $0.hasPrefix(".It Fl -input ") })
    let item = manual[(start + 1)...].prefix { !$0.hasPrefix(".It ") }
    let named = item.filter { $0.hasPrefix(".Cm ") }
      .flatMap { $0.dropFirst(4).split(separator: " ").map(String.init) }.filter { $0 != "," }
    #expect(named.sorted() == Inputs.names.sorted())
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
