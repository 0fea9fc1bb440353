// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// Where the output goes, and what is left of it when something goes wrong.
@Suite("Output", .serialized) struct OutputTests {
  private let folder: URL
  private let capture = Sample.root.appending(path: "wamp/chat/input.pcap").path

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func run(_ words: String...) throws -> Program.Outcome {
    try Program.run(words, in: folder)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  /// What is in the folder, and the folder is removed.
  private func leave() -> [String] {
    defer { try? FileManager.default.removeItem(at: folder) }
    return Sample.entries(folder)
  }

  @Test("a file gets what standard output would") func file() throws {
    let plain = try run(capture)
    #expect(try run("-O", "out.txt", capture).output.isEmpty)
    #expect(try text("out.txt") == plain.output)
    #expect(try run("-O", "-", capture).output == plain.output)
    #expect(leave() == ["out.txt"])
  }

  @Test("an old file stays when nothing could be read") func oldFile() throws {
    try "old".write(to: folder.appending(path: "out.txt"), atomically: true, encoding: .utf8)
    let outcome = try run("-O", "out.txt", "-r", "no-such.pcap")
    #expect(outcome.status == 2)
    #expect(outcome.complaints == "wamptap: no-such.pcap: no such file; check the path\n")
    #expect(try text("out.txt") == "old")
    // What could be read is worth a new one.
    let capture = Sample.root.appending(path: "wamp/rpc/input.pcap").path
    #expect(try run("-O", "out.txt", "-r", "no-such.pcap", capture).status == 2)
    #expect(try text("out.txt") == run(capture).output)
    #expect(leave() == ["out.txt"])
  }

  @Test("a link is followed, not replaced") func link() throws {
    let link = folder.appending(path: "link")
    try "old".write(to: folder.appending(path: "out.txt"), atomically: true, encoding: .utf8)
    try FileManager.default.createSymbolicLink(
      atPath: link.path, withDestinationPath: "out.txt")
    #expect(try run("-q", "-O", "link", "[33,1,2]").status == 0)
    #expect(try text("out.txt") == "SUBSCRIBED  request 1 · subscription 2\n")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "out.txt")
    #expect(leave() == ["link", "out.txt"])
  }

  @Test("the evidence is never replaced", arguments: [["evidence.txt"], ["-", "[33,1,2]"]])
  func evidence(_ names: [String]) throws {
    try "[33,1,2]".write(
      to: folder.appending(path: "evidence.txt"), atomically: true, encoding: .utf8)
    let outcome = try Program.run(
      ["-O", "evidence.txt"] + names, standardInput: names[0] == "-" ? "evidence.txt" : nil,
      in: folder)
    #expect(outcome.status == 64)
    #expect(try text("evidence.txt") == "[33,1,2]")
    #expect(leave() == ["evidence.txt"])
  }

  @Test("what cannot be written is reported") func failures() throws {
    #expect(try run("-O", "", capture).status == 64)
    let missing = try run("-O", "no/such/folder", capture)
    #expect(missing.status == 2)
    #expect(
      missing.complaints
        == "wamptap: no/such/folder: cannot be written: No such file or directory\n")
    if FileManager.default.fileExists(atPath: "/dev/full") {
      let full = try run("-O", "/dev/full", capture)
      #expect(full.status == 2)
      #expect(
        full.complaints == "wamptap: /dev/full: cannot be written: No space left on device\n")
    }
    #expect(leave().isEmpty)
  }

  @Test(
    "odd arguments are answered",
    arguments: [
      ([""], 2, "wamptap: an empty argument names no file; is a variable of the shell not set?\n"),
      (
        ["-r", ""], 2,
        "wamptap: an empty argument names no file; is a variable of the shell not set?\n"
      ),
      (["-", "-"], 64, "wamptap: standard input can be named only once\n"),
      (["-"], 2, "wamptap: standard input: empty, so there is nothing to read\n"),
    ] as [([String], Int32, String)])
  func oddArguments(_ words: [String], _ status: Int32, _ complaint: String) throws {
    let outcome = try Program.run(words, in: folder)
    #expect(outcome.status == status)
    #expect(outcome.complaints == complaint)
    #expect(leave().isEmpty)
  }

  @Test(
    "two outputs do not go into one file",
    arguments: [
      ["check", "-O", "x.xml", "--report", "junit=x.xml"],
      ["check", "-O", "x", "--write-baseline", "x"],
      ["-Y", "true", "--save", "x", "-O", "x"],
    ])
  func oneFile(_ words: [String]) throws {
    let outcome = try Program.run(words + [capture], in: folder)
    #expect(outcome.status == 64)
    #expect(outcome.complaints.hasSuffix("is named for two outputs; they need a file each\n"))
    #expect(leave().isEmpty)
  }

  @Test("--init checks nothing") func beginning() throws {
    let outcome = try run("check", "--init", "--report", "junit=x.xml", capture)
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(leave().isEmpty)
  }

  @Test("a check is judged although nobody reads it") func unreadCheck() throws {
    let outcome = try Program.shell(
      #"""
      { sleep 0.3; "$wamptap" check --expect 'none: CALL' --report junit=x.xml \
        '[48,1,{},"a"]'; echo $? >status; } | true
      """#, in: folder)
    #expect(outcome.complaints.isEmpty)
    #expect(try text("status") == "1\n")
    #expect(try text("x.xml").contains("<failure"))
    #expect(leave() == ["status", "x.xml"])
  }

  @Test("nothing half-written stays where packets cannot be kept") func unopened() throws {
    let outcome = try Program.shell(
      "\"$wamptap\" -O out.txt -w no/such/folder - <'\(capture)'", in: folder)
    #expect(outcome.status == 2)
    #expect(leave().isEmpty)
  }

  @Test("a file that cannot be read does not hide the others of its folder") func charles() throws {
    let source = Sample.root.appending(path: "exports/charles/input")
    let copy = folder.appending(path: "c")
    try FileManager.default.copyItem(at: source, to: copy)
    let name = Sample.entries(copy)[0]
    try FileManager.default.removeItem(at: copy.appending(path: name))
    try FileManager.default.createSymbolicLink(
      atPath: copy.appending(path: name).path, withDestinationPath: "nowhere")
    let outcome = try run("-q", "c")
    #expect(outcome.status == 2)
    #expect(!outcome.output.isEmpty, "the others are read")
    #expect(leave() == ["c"])
  }

  @Test("-c takes a number from 1 on", arguments: ["0", "-1", "x", ""])
  func count(_ number: String) throws {
    let outcome = try run("-c", number, "[33,1,2]")
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(leave().isEmpty)
  }
}
