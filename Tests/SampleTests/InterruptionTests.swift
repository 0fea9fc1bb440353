// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// Control-C while the evidence arrives: what came until then is shown and summed up.
@Suite("Interruption", .serialized) struct InterruptionTests {
  private func capture() throws -> Data {
    try Data(contentsOf: Sample.root.appending(path: "wamp/chat/input.pcap"))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func isSummedUp(_ signal: Int32) throws {
    let (evidence, output) = (Pipe(), Pipe())
    let process = try Program.start(["-o", "ndjson"], evidence, output)
    evidence.fileHandleForWriting.write(try capture().prefix(5000))
    // It has read what there is when the first line arrives, and waits for more.
    var text = output.fileHandleForReading.availableData
    kill(process.processIdentifier, signal)
    text += try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == signal)
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    #expect(lines.last?.contains(#""stopped":"interrupt""#) == true)
    #expect(lines.filter { $0.contains(#""event":"message""#) }.count == 2)
    #expect(lines.filter { $0.contains(#""event":"summary""#) }.count == 1)
    try evidence.fileHandleForWriting.close()
  }

  @Test("a file that is written is kept, with what was read") func file() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "out.txt").path
    let (evidence, output) = (Pipe(), Pipe())
    let process = try Program.start(["-O", path], evidence, output)
    evidence.fileHandleForWriting.write(try capture().prefix(5000))
    // What is written grows under its temporary name, and only there.
    var partial: [String] = []
    while process.isRunning {
      partial = Sample.entries(folder)
      let size = partial.first.flatMap {
        try? Data(contentsOf: folder.appending(path: $0)).count
      }
      if (size ?? 0) > 0 { break }
      usleep(1000)
    }
    #expect(partial.count == 1 && partial[0].hasPrefix("out.txt.") && partial[0].hasSuffix(".part"))
    process.interrupt()
    process.waitUntilExit()
    #expect(Sample.entries(folder) == ["out.txt"])
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasSuffix(" · interrupted; the rest was not read\n"))
    try evidence.fileHandleForWriting.close()
  }

  /// Nobody waits for ever for what does not end.
  private func guarded(_ process: Process) -> Process {
    DispatchQueue.global().asyncAfter(deadline: .now() + 300) {
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
    return process
  }

  @Test(
    "a pipe that nobody opens at its other end is not waited for longer than was asked",
    .timeLimit(.minutes(10)), arguments: ["read", "keys", "written"])
  func opening(_ use: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let pipe = folder.appending(path: "pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let capture = Sample.root.appending(path: "wamp/chat/input.pcap").path
    let words =
      switch use {
      case "read": [pipe]
      case "keys": ["--keylog", pipe, capture]
      default: ["-O", pipe, capture]
      }
    let complaints = Pipe()
    let process = guarded(
      try Program.start(["--for", "0.1"] + words, Pipe(), Pipe(), complaints: complaints))
    let said = try complaints.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == (use == "written" ? 2 : 0))
    let text = String(decoding: said, as: UTF8.self)
    #expect(text.contains("no process has opened it for reading") == (use == "written"))
  }

  @Test("what is written to a pipe that somebody reads arrives", .timeLimit(.minutes(10)))
  func pipes() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (from, to) = (folder.appending(path: "from"), folder.appending(path: "to"))
    for pipe in [from, to] { #expect(mkfifo(pipe.path, 0o600) == 0) }
    let process = guarded(
      try Program.start(["-o", "ndjson", "-O", to.path, from.path], Pipe(), Pipe()))
    let reader = try FileHandle(forReadingFrom: to)
    let writer = try FileHandle(forWritingTo: from)
    writer.write(try capture())
    try writer.close()
    let text = String(decoding: try reader.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(text.contains(#""event":"summary""#) && process.terminationStatus == 0)
  }

  @Test(
    "the second signal ends the program, although nobody reads what it writes",
    .timeLimit(.minutes(10)), arguments: [SIGINT, SIGTERM, SIGHUP])
  func second(_ signal: Int32) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).log")
    defer { try? FileManager.default.removeItem(at: file) }
    // More than a pipe takes.
    let lines = (1...5000).map { "2026-11-19 10:00:02 DEBUG TX: [48,\($0),{},\"com.app\",[1]]\n" }
    try Data(lines.joined().utf8).write(to: file)
    let output = Pipe()
    let process = guarded(try Program.start([file.path], Pipe(), output))
    _ = try output.fileHandleForReading.read(upToCount: 1)
    process.interrupt()
    kill(process.processIdentifier, signal)
    // The same signal may be one when it comes at once; another may be handled first.
    if signal == SIGINT { while process.isRunning { process.interrupt() } }
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect([SIGINT, signal].contains(process.terminationStatus))
  }

  /// A reader that goes away is no error.
  @Test func closedPipe() throws {
    let (evidence, output) = (Pipe(), Pipe())
    let process = try Program.start([], evidence, output)
    let capture = try capture()
    evidence.fileHandleForWriting.write(capture.prefix(5000))
    _ = output.fileHandleForReading.availableData
    try output.fileHandleForReading.close()
    evidence.fileHandleForWriting.write(capture.dropFirst(5000))
    try evidence.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
  }
}
