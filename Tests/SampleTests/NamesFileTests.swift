// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// Where a file of names is found, and what is said of a wrong one.
@Suite("Names files", .serialized) struct NamesFileTests {
  private let folder: URL
  private let message = #"[36,1,2,{},[{"type":100}]]"#

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(
      at: folder.appending(path: "a/wamptap"), withIntermediateDirectories: true)
  }

  private func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: name))
  }

  private func rule(_ name: String) -> String {
    "names:\n  - field: type\n    values: {100: \(name)}\n"
  }

  private func leave() { try? FileManager.default.removeItem(at: folder) }

  @Test(
    "are refused with line and column",
    arguments: [
      (
        "names:\n  - subjet: a\n",
        "2:5: 'subjet' is no key of a rule of 'names'; did you mean 'subject'?"
      ),
      (
        "messages:\n  - where: { host: a }\n",
        "2:14: 'host' is no key of 'where'; there are: url, port, subprotocol, dialect"
      ),
      (
        "messages:\n  - where: { dialect: wamp }\n",
        "2:23: 'wamp' has no messages that can be read otherwise; there are: jsonrpc, graphql"
      ),
      ("messages:\n  - where: { port: x }\n", "2:20: 'x' is no port"),
      ("messages:\n  - type: a[*]\n", "2:11: 'type' needs the path of one value, as head.kind"),
      ("name:\n", "1:1: 'name' is no key of a names file; did you mean 'names'?"),
      ("- a\n", "1:1: a names file has the keys names, messages, mask"),
      ("names:\n  field: a\n", "2:3: 'names' is a list; begin each rule with '- '"),
      ("mask: x\n", "1:7: 'mask' is a list; begin each rule with '- '"),
      ("names:\n  - field: t\n", "2:5: a rule of 'names' needs 'values'"),
      ("names:\n  - values: {1: a}\n", "2:5: a rule of 'names' needs 'field'"),
      ("mask:\n  - subject: a\n", "2:5: a rule of 'mask' needs 'fields'"),
      ("mask:\n  - fields: []\n", "2:13: 'fields' is empty"),
      ("mask:\n  - '**.größe'\n", "2:5: a name that counts in any spelling has letters and digits"),
      ("mask:\n  - fields: [args[0], a]\n", "'; in a list, write what has brackets in quotes"),
      ("mask:\n  - fields: [a, [b]]\n", "2:17: expected the path of a field"),
      ("mask:\n  - fields: 'a..b'\n", "2:13: 'a..b' lacks a key"),
      ("mask:\n  - subject: []\n    fields: a\n", "2:14: 'subject' is empty"),
      ("mask:\n  - subject: a*b\n    fields: a\n", "2:14: a '*' stands at the end of a subject"),
      ("names:\n  - field: [t]\n    values: {1: a}\n", "2:12: expected the path of a field"),
      ("names:\n  - field: args\n    values: {1: a}\n", "2:12: all arguments together"),
      ("names:\n  - field: t\n    values: {1: a, 1: b}\n", "3:14: '1' is there twice"),
      ("names:\n  - field: t\n    values: {0x64: a, 100: b}\n", "3:23: '100' has a name already"),
      ("names:\n  - field: t\n    values: {1: }\n", "3:14: '1' has no name"),
      ("names:\n  - field: t\n    values: {1: [a]}\n", "3:17: expected the name of '1'"),
      ("names:\n  - field: t\n    values: {}\n", "3:13: 'values' has names by their values"),
      ("names:\n  - subject: *\n", "2:15: this cannot be read as YAML: while scanning an alias"),
      ("names:\n\t- a\n", "2:1: this cannot be read as YAML: while scanning for the next token"),
      ("names: [\n", "2:1: this cannot be read as YAML: while parsing a flow node"),
      ("mask: []\n---\nmask: []\n", "2:1: this cannot be read as YAML: expected a single"),
      ("a: b\u{1}c\n", "1:5: this cannot be read as YAML: control characters are not allowed"),
      ("a: [" + String(repeating: "*a,", count: 17) + "]", "1:53: there are too many aliases"),
    ])
  func problems(_ text: String, _ complaint: String) throws {
    defer { leave() }
    try expectRefused(text, complaint)
  }

  /// Arguments of a test are printed: these are long.
  @Test("are refused when they are too deep or too large") func bounds() throws {
    defer { leave() }
    try expectRefused(String(repeating: "[", count: 100_000), "this cannot be read as YAML")
    try expectRefused(String(repeating: "#\n", count: 600_000), " is larger than 1 MiB")
  }

  private func expectRefused(_ text: String, _ complaint: String) throws {
    try write(text, "x.yaml")
    let outcome = try Program.run(["--names", "x.yaml", message], in: folder)
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.complaints.hasPrefix("wamptap: x.yaml:"))
    #expect(outcome.complaints.contains(complaint), "\(outcome.complaints)")
  }

  @Test("are as the manual shows one") func manual() throws {
    defer { leave() }
    let page = Sample.root.deletingLastPathComponent().appending(path: "man/wamptap.1")
    let lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
    let part = lines.drop { $0 != ".Sh NAMES FILE" }
    let example = part.drop { !$0.hasPrefix(".Bd -literal") }.dropFirst().prefix { $0 != ".Ed" }
    try write(example.joined(separator: "\n"), "x.yaml")
    let login = #"[48,1,{},"com.user.login",["hunter2"],{"PassPhrase":"hunter3"}]"#
    let outcome = try Program.run(["--names", "x.yaml", login], in: folder)
    #expect(outcome.complaints == "wamptap: names are from x.yaml\n")
    #expect(outcome.output.contains("com.user.login") && !outcome.output.contains("hunter"))
  }

  @Test("may be empty", arguments: ["", "# nothing\n", "---\n", "names:\nmask: []\n"])
  func empty(_ text: String) throws {
    defer { leave() }
    try write(text, "x.yaml")
    let outcome = try Program.run(["--names", "x.yaml", message], in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.complaints == "wamptap: x.yaml: has no names and masks nothing\n")
  }

  @Test("are found by the option, beside the evidence, among the settings") func search() throws {
    defer { leave() }
    func name(_ words: String...) throws -> String {
      let outcome = try Program.run(words, in: folder, settings: folder.appending(path: "a"))
      let line = outcome.output.split(separator: "\n").last ?? ""
      return "\(line.split(separator: " · ").dropFirst(2).first ?? "") \(outcome.complaints)"
    }
    try write(message, "a/input.txt")
    #expect(try name("a/input.txt") == #"[{"type":100}] "#)
    let settings = folder.appending(path: "a/wamptap/names.yaml").path
    try write(rule("settings"), "a/wamptap/names.yaml")
    #expect(try name("a/input.txt") == "settings wamptap: names are from \(settings)\n")
    #expect(try name("-q", message) == "settings ")
    try write(rule("beside"), "a/wamptap.yaml")
    #expect(try name("a/input.txt") == "beside wamptap: names are from a/wamptap.yaml\n")
    #expect(try name(message) == "settings wamptap: names are from \(settings)\n")
    try write(rule("option"), "x.yaml")
    #expect(
      try name("--names", "x.yaml", "a/input.txt") == "option wamptap: names are from x.yaml\n")
    #expect(try name("--no-names", "a/input.txt") == #"[{"type":100}] "#)
    try write("name:", "a/wamptap.yaml")
    #expect(
      try name("a/input.txt").hasSuffix(
        "did you mean 'names'? (--no-names reads on without it)\n"))
  }

  @Test(
    "are one file",
    arguments: [
      (["--names", "none.yaml"], 2, "none.yaml: no such file; check the path\n"),
      (["--names", "a"], 2, "a: is a directory; name a file of names\n"),
      (["--names", ""], 2, "--names takes the name of a file, and got an empty one\n"),
      (
        ["--names", "-", "-"], 64, "standard input cannot be the input and a names file at once\n"
      ),
    ] as [([String], Int32, String)])
  func odd(_ words: [String], _ status: Int32, _ complaint: String) throws {
    defer { leave() }
    let outcome = try Program.run(words + [message], in: folder)
    #expect(outcome.status == status)
    #expect(outcome.complaints == "wamptap: " + complaint)
  }
}
