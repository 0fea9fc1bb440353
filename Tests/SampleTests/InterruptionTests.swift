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
