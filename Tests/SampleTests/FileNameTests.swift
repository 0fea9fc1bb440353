// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// Names of files that are no text, arguments that a terminal would obey, and files that must not
/// be written over or read by others. A shell makes what Foundation cannot name.
@Suite("File names and rights", .serialized) struct FileNameTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func text(_ name: String, _ content: String) throws {
    try content.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
  }

  /// Runs a script in the folder, in which `$wamptap` is the program.
  private func shell(_ script: String, status: Int32 = 0) throws -> [String] {
    let outcome = try Program.shell(script, in: folder)
    #expect(outcome.status == status, "\(outcome.complaints)")
    return (outcome.output + outcome.complaints).split(separator: "\n").map(String.init)
  }

  private func mode(_ name: String) throws -> Int? {
    let path = folder.appending(path: name).path
    return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private func leave() { try? FileManager.default.removeItem(at: folder) }

  #if os(Linux)
    @Test("a name that is no UTF-8 is opened, shown, and written as it is") func octets() throws {
      defer { leave() }
      try text("plain", "[33,1,2]\n")
      let lines = try shell(
        #"""
        name=$(printf 'caf\351.txt'); out=$(printf 'out\377')
        mv plain "$name"
        "$wamptap" -q -O "$out" "$name" && cat "$out"
        "$wamptap" -q -o ndjson "$name" | grep -o '"input":[^,}]*' | head -n 1
        "$wamptap" -r "$(printf 'no\351')" || "$wamptap" -O "$name" "$name"
        """#, status: 64)
      #expect(
        lines == [
          "SUBSCRIBED  request 1 · subscription 2", #""input":"caf\\xe9.txt""#,
          #"wamptap: no\xe9: no such file; check the path"#,
          #"wamptap: caf\xe9.txt: is read, and would be replaced; choose another name"#,
        ])
    }
  #endif

  @Test("bytes of a pasted message are what they are") func pasted() throws {
    defer { leave() }
    let lines = try shell(#""$wamptap" -q "$(printf '[48,1,{},"com.x",["\364\217\272\205"]]')""#)
    #expect(lines == ["CALL        request 1 · com.x · [\"\u{10FE85}\"]"])
  }

  @Test("what is said of arguments is safe for a terminal") func arguments() throws {
    defer { leave() }
    for words in [["--bad\u{1B}[31m\u{202E}"], ["-o", "x\u{1B}[31m\u{202E}", "[33,1,2]"]] {
      let outcome = try Program.run(words, in: folder)
      #expect(outcome.status == 64)
      #expect(outcome.complaints.contains(#"\x1b[31m\u{202e}'"#), "\(outcome.complaints)")
      #expect(!outcome.complaints.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    }
  }

  @Test("names of files in tables are safe for a terminal") func tables() throws {
    defer { leave() }
    try text("a\u{1B}[31m.txt", "[48,1,{},\"a\"]\n[50,1,{}]\n")
    try text("b.txt", "[48,1,{},\"a\"]\n")
    let lines = try shell(#""$wamptap" stats --slowest 3 a* b.txt 2>&1"#)
    #expect(!lines.contains { $0.contains("\u{1B}") })
  }

  @Test(
    "nothing that is read is written over",
    arguments: [
      ["-O", "wamptap.yaml"], ["-O", "./link"], ["-O", "names", "--names", "names"],
      ["-O", "keys", "--keylog", "keys"],
    ])
  func readFiles(_ words: [String]) throws {
    defer { leave() }
    try text("evidence.txt", "[33,1,2]\n")
    try text("keys", "CLIENT_RANDOM \(String(repeating: "0", count: 64)) 00\n")
    for name in ["wamptap.yaml", "names"] { try text(name, "names: []\n") }
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: "link"), withDestinationURL: folder.appending(path: "wamptap.yaml")
    )
    let before = Sample.entries(folder)
    let outcome = try Program.run(words + ["evidence.txt"], in: folder)
    #expect(outcome.status == 64)
    #expect(outcome.complaints.contains("is read, and would be replaced; choose another name"))
    #expect(outcome.output.isEmpty && Sample.entries(folder) == before)
  }

  @Test("packets and text cannot go into one file") func oneFile() throws {
    defer { leave() }
    let capture = Sample.root.appending(path: "wamp/chat/input.pcap").path
    let lines = try shell("\"$wamptap\" -w kept -O ./kept - < '\(capture)'", status: 64)
    #expect(lines == ["wamptap: -O and -w name the same file; packets and text need one each"])
  }

  @Test("packets and credentials are for the user alone") func modes() throws {
    defer { leave() }
    let capture = Sample.root.appending(path: "wamp/chat/input.pcap").path
    _ = try shell(
      #"""
      umask 022; touch old kept-old; chmod 644 old kept-old
      "$wamptap" -O plain '\#(capture)' && "$wamptap" -O secret --show-secrets '\#(capture)'
      "$wamptap" -O old --show-secrets '\#(capture)'
      "$wamptap" -O plain2 -w kept - <'\#(capture)'
      "$wamptap" -O plain2 -w kept-old - <'\#(capture)'
      """#)
    for (name, expected) in [
      ("plain", 0o644), ("secret", 0o600), ("old", 0o600), ("plain2", 0o644), ("kept", 0o600),
      ("kept-old", 0o600),
    ] {
      #expect(try mode(name) == expected, "\(name)")
    }
  }

  @Test(
    "output that cannot be written is reported",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
    arguments: [
      "--help", "--version", "stats --help", "help flow", "interfaces", "-D", "doctor", "explain",
      "explain 33", "--generate-completion-script bash", "'[33,1,2]'", "stats '[33,1,2]'",
      "flow '[33,1,2]'", "-o ndjson '[33,1,2]'",
    ])
  func full(_ words: String) throws {
    defer { leave() }
    let lines = try shell("\"$wamptap\" \(words) >/dev/full", status: 2)
    #expect(
      lines.last == "wamptap: standard output: cannot be written: No space left on device")
  }
}
