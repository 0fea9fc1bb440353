// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// Files of one log that was rotated read as the log before it was.
@Suite("Rotated logs", .serialized) struct RotatedLogsTests {
  private let folder: URL
  /// A session whose messages stand below the lines that mark them.
  private let lines: [String]

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var lines: [String] = []
    for (number, message) in [
      #"[32,1,{},"com.x"]"#, "[33,1,5862354]", #"[48,2,{},"com.add",[1]]"#, "[50,2,{},[2]]",
      #"[36,5862354,7,{},["é"]]"#,
    ].enumerated() {
      let mark = number % 2 == 0 && number < 4 ? "WAMP-Transmit(-, -) >>" : "WAMP-Receive(-, -) <<"
      lines += ["2026-11-20T10:00:0\(number) \(mark)", message, "<<", ""]
    }
    self.lines = lines
  }

  private func leave() { try? FileManager.default.removeItem(at: folder) }

  private func write(_ name: String, _ lines: some Sequence<String>, hasEnd: Bool = true) throws {
    let text = lines.map { $0 + "\n" }.joined()
    try (hasEnd ? text : String(text.dropLast())).write(
      to: folder.appending(path: name), atomically: true, encoding: .utf8)
  }

  /// What is reported of all of it, without the names of files.
  private func reported(_ names: [String], _ words: [String] = []) throws -> String {
    let outcome = try Program.run(words + names, in: folder)
    #expect(outcome.status == 0)
    return outcome.output.replacing(#/ {2}[a-z]+[.\-][0-9a-z._\-]*/#, with: "")
      .replacing(#/"origin":.*/#, with: "")
  }

  /// In the order in which a shell lists them.
  @Test(
    "the oldest comes first",
    arguments: [
      ["app.log.1", "app.log"], ["app.log.2", "app.log.1", "app.log"],
      ["app.log.10", "app.log.9", "app.log"], ["app.log-20261119", "app.log-20261120", "app.log"],
      ["app-2026-11-19.log", "app-2026-11-20.log", "app.log"],
      ["app.2026-11-20.0.log", "app.2026-11-20.1.log", "app.2026-11-20.10.log"],
      ["app.log.2026-11-20_09", "app.log.2026-11-20_10", "app.log"], ["syslog.1", "syslog"],
    ])
  func order(names: [String]) throws {
    defer { leave() }
    try write("whole", lines)
    let part = lines.count / names.count
    for (number, name) in names.enumerated() {
      let end = number == names.count - 1 ? lines.count : (number + 1) * part
      try write(name, lines[number * part..<end])
    }
    #expect(try reported(names.sorted()) == reported(["whole"]))
  }

  /// Within a message, and also where the last line of a file has no end.
  @Test("it does not matter where it was cut") func cuts() throws {
    defer { leave() }
    try write("whole", lines)
    for words in [[], ["-o", "ndjson"]] {
      let whole = try reported(["whole"], words)
      #expect(whole.contains("com.x") && whole.contains("5862354"))
      for cut in 0...lines.count {
        try write("app.log.1", lines[..<cut], hasEnd: cut % 2 == 0)
        try write("app.log", lines[cut...])
        #expect(try reported(["app.log", "app.log.1"], words) == whole, "cut before line \(cut)")
      }
    }
  }

  @Test("compressed ones are read on, and each message names its file") func compressed() throws {
    defer { leave() }
    try write("app.log.2", lines[..<6])
    try write("app.log.1", lines[6...])
    try write("app.log", [])
    let gzip = Process()
    gzip.executableURL = URL(filePath: "/usr/bin/env")
    gzip.arguments = ["gzip", folder.appending(path: "app.log.2").path]
    try gzip.run()
    gzip.waitUntilExit()
    let outcome = try Program.run(
      ["-o", "ndjson", "app.log", "app.log.1", "app.log.2.gz"], in: folder)
    #expect(outcome.status == 0)
    #expect(
      outcome.complaints.hasPrefix("wamptap: app.log.2.gz, app.log.1, app.log: log of Autobahn"))
    #expect(outcome.complaints.contains("5 messages in 20 lines"))
    let messages = outcome.output.split(separator: "\n").filter { $0.contains(#""message""#) }
    #expect(messages.count == 5 && messages[0].contains(#""input":"app.log.2.gz""#))
    #expect(messages[4].contains(#""input":"app.log.1""#))
    #expect(messages[4].contains(#""subject":"com.x""#))
  }

  /// Of files that are no one log, each speaks for itself; one that is missing keeps no other back.
  @Test("others are not put together") func others() throws {
    defer { leave() }
    let names = ["a.log.1", "b.log", "a-1.log", "a-20261301.log", "a-20260101.log"]
    for name in names { try write(name, lines) }
    let apart = try Program.run(names, in: folder)
    #expect(apart.status == 0 && apart.output.contains("#5"))
    let missing = try Program.run(["a.log.1", "a.log"], in: folder)
    #expect(missing.status == 2 && missing.output.contains("EVENT"))
    #expect(missing.complaints.contains("a.log: there is no such file"))
    #expect(missing.complaints.contains("log of Autobahn|Python, 5 messages in 20 lines"))
  }

  /// The threads that read ahead go on from file to file.
  @Test("long ones are read ahead") func long() throws {
    defer { leave() }
    var text: [String] = []
    for number in 1...30_000 {
      let time = "2026-11-20 \(10 + number / 3600):\(10 + number / 60 % 50):\(10 + number % 50)"
      text.append(#"\#(time),100 DEBUG [wamp] sent [48,\#(number),{},"com.x",[\#(number)]]"#)
      text.append(#"\#(time),300 DEBUG [wamp] recv [50,\#(number),{},["é"]]"#)
    }
    try write("whole", text)
    try write("app.log.2", text[..<10_001], hasEnd: false)
    try write("app.log.1", text[10_001..<30_001])
    try write("app.log", text[30_001...])
    let whole = try reported(["whole"])
    #expect(whole.utf8.count > 3_000_000)
    #expect(try reported(["app.log", "app.log.1", "app.log.2"]) == whole)
  }
}
