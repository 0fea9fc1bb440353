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
