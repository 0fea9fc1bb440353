// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// A long log is read by a thread of its own: nobody is to see that.
@Suite("Reading ahead", .serialized) struct ReadingAheadTests {
  private let folder: URL

  /// A log of more than what one thread reads.
  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var text = ""
    for number in 1...20_000 {
      let parts = [number / 3600, number / 60 % 60, number % 60]
      let time = parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
      let call = #"[48,\#(number),{},"com.x",[\#(number)]]"#
      text += "2026-11-20 \(time),100 DEBUG [wamp] sent \(call)\n"
      text += "2026-11-20 \(time),200 INFO [main] cache miss for row \(number)\n"
      text += #"2026-11-20 \#(time),300 DEBUG [wamp] recv [50,\#(number),{},["é"]]"# + "\n"
    }
    text += #"2026-11-20 23:59:59,000 DEBUG [wamp] sent [48,99999,{},"com.x",["cut"#
    try text.write(to: folder.appending(path: "a.log"), atomically: true, encoding: .utf8)
  }

  private func leave() { try? FileManager.default.removeItem(at: folder) }

  /// Who wants each line at once gets it from one thread.
  @Test("it tells the same", arguments: [[], ["-o", "ndjson"], ["--context"]])
  func same(words: [String]) throws {
    defer { leave() }
    let outcome = try Program.run(words + ["a.log"], in: folder)
    let plain = try Program.run(words + ["-l", "a.log"], in: folder)
    #expect(outcome.status == 0 && outcome.output.utf8.count > 2_000_000)
    #expect(outcome.output == plain.output)
    #expect(outcome.complaints == plain.complaints)
  }

  @Test("it tells the same out of a pipe, and ends with it") func pipe() throws {
    defer { leave() }
    let (evidence, output) = (Pipe(), Pipe())
    let process = try Program.start([], evidence, output)
    try feed(evidence, thenClose: true)
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let plain = try Program.run(["-l", "a.log"], in: folder)
    #expect(String(decoding: text, as: UTF8.self) == plain.output)
  }

  /// Nothing comes out of the pipe any more, and it stays open.
  @Test("no thread that waits for a pipe holds up the end", arguments: [["-c", "39000"], []])
  func open(words: [String]) throws {
    defer { leave() }
    let (evidence, output, complaints) = (Pipe(), Pipe(), Pipe())
    let process = try Program.start(
      words + ["-o", "ndjson"], evidence, output, complaints: complaints)
    try feed(evidence, thenClose: false)
    var text = Data()
    if words.isEmpty {
      // All but the line that has no end was shown.
      var lines = 0
      while lines < 40_000 {
        let more = output.fileHandleForReading.availableData
        if more.isEmpty { break }
        lines += more.count { $0 == 0x0A }
        text += more
      }
      process.terminate()
    }
    text += try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    let stop = words.isEmpty ? "interrupt" : "count"
    #expect(lines.last?.contains(#""stopped":"\#(stop)""#) == true)
    let reported = try complaints.fileHandleForReading.readToEnd() ?? Data()
    // What was read is said of what was interrupted; who asked for a number has it.
    #expect(String(decoding: reported, as: UTF8.self).contains("messages in") == words.isEmpty)
    try evidence.fileHandleForWriting.close()
  }

  /// Writes the log into a pipe, as another program does.
  private func feed(_ pipe: Pipe, thenClose: Bool) throws {
    let log = try Data(contentsOf: folder.appending(path: "a.log"))
    let end = pipe.fileHandleForWriting
    signal(SIGPIPE, SIG_IGN)
    Thread.detachNewThread {
      try? end.write(contentsOf: log)
      if thenClose { try? end.close() }
    }
  }

  @Test("as many as are asked for, and no more", arguments: [1, 3, 39_000])
  func count(_ most: Int) throws {
    defer { leave() }
    let words = ["-o", "ndjson", "-c", "\(most)", "a.log"]
    let outcome = try Program.run(words, in: folder)
    let lines = outcome.output.split(separator: "\n")
    #expect(outcome.status == 0)
    #expect(lines.filter { $0.contains(#""event":"message""#) }.count == most)
    #expect(lines.last?.contains(#""stopped":"count""#) == true)
  }
}
