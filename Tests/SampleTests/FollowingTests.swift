// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// `-F` with several files, which are written on, replaced and truncated.
@Suite("Following", .serialized) struct FollowingTests {
  private func line(_ number: Int) -> String {
    "2026-11-20T10:00:\(10 + number)Z RX [36,1,\(number),{}]\n"
  }

  private func append(_ text: String, to file: URL) throws {
    let handle = try FileHandle(forWritingTo: file)
    try handle.seekToEnd()
    handle.write(Data(text.utf8))
    try handle.close()
  }

  @Test("each line is reported once, whatever becomes of the other file", .timeLimit(.minutes(10)))
  func several() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (one, other) = (folder.appending(path: "one.log"), folder.appending(path: "other.log"))
    try Data((line(1) + line(3)).utf8).write(to: one)
    try Data((line(2) + line(4)).utf8).write(to: other)
    let output = Pipe()
    let process = try Program.start(["-F", "-o", "ndjson", one.path, other.path], Pipe(), output)
    // Nobody waits forever for what does not come.
    DispatchQueue.global().asyncAfter(deadline: .now() + 300) {
      if process.isRunning { process.interrupt() }
    }
    var (text, seen): (String, [Int]) = ("", [])
    func wait(for count: Int) {
      while seen.count < count {
        let data = output.fileHandleForReading.availableData
        if data.isEmpty { return }
        text += String(decoding: data, as: UTF8.self)
        seen = text.split(separator: "\n").compactMap {
          guard let start = $0.range(of: "\"publication\":") else { return nil }
          return Int($0[start.upperBound...].prefix { $0.isNumber })
        }
      }
    }
    wait(for: 4)
    #expect(seen == [1, 2, 3, 4])
    // One is replaced by another of its name, while the other grows.
    try FileManager.default.moveItem(at: one, to: folder.appending(path: "one.log.1"))
    try append(line(5), to: other)
    try Data(line(6).utf8).write(to: one)
    wait(for: 6)
    #expect(seen.sorted() == [1, 2, 3, 4, 5, 6])
    // The other is truncated, while the one grows; half a line waits for its end.
    try append(line(7) + "2026-11-20T10:00:19Z RX [36,", to: one)
    try FileHandle(forWritingTo: other).truncate(atOffset: 0)
    try append(line(8), to: other)
    wait(for: 8)
    try append("1,9,{}]\n", to: one)
    wait(for: 9)
    process.interrupt()
    process.waitUntilExit()
    #expect(seen.sorted() == Array(1...9))
  }

  /// Files are read twice for these filters; what is followed waits for what decides.
  @Test(
    "filters that need what comes later show the same lines as of a file",
    .timeLimit(.minutes(10)),
    arguments: [
      ("wamp/rpc", "exchange(failed)"), ("wamp/rpc", "!exchange(failed)"),
      ("wamp/rpc", "answered"), ("wamp/chat", "exchange(EVENT)"),
      ("wamp/chat", "exchange(latency > 1ms)"), ("mqtt/exchanges", "exchange(latency > 100us)"),
      ("stomp/broken-headers", "session(failed)"), ("wamp/chat", "connection(finding)"),
      ("wamp/rpc-cancel", "unanswered"),
    ])
  func filtered(_ sample: String, _ filter: String) throws {
    let folder = Sample.root.appending(path: sample)
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: folder.path).first {
        $0.hasPrefix("input.pcap")
      })
    let words = ["-q", "--maybe", "-Y", filter, name]
    func lines(_ outcome: Program.Outcome) -> [Substring] {
      outcome.output.split(separator: "\n").sorted()
    }
    let read = try Program.run(words, in: folder)
    var followed = read
    // A machine that has other things to do needs more time.
    for time in ["1s", "4s", "16s", "64s"] {
      followed = try Program.run(["-F", "--for", time] + words, in: folder)
      if lines(followed) == lines(read) { break }
    }
    #expect(lines(followed) == lines(read))
    #expect(followed.status == read.status)
  }

  @Test("as many messages as asked for end it, also when one shows several")
  func limited() throws {
    let folder = Sample.root.appending(path: "wamp/rpc")
    let outcome = try Program.run(
      ["-F", "-o", "ndjson", "-c", "3", "-Y", "exchange(failed)", "input.pcap"], in: folder)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count { $0.contains("\"event\":\"message\"") } == 3)
    #expect(lines.last?.contains("\"stopped\":\"count\"") == true)
    // The rest of the chunk that was read is no part of what was shown.
    #expect(lines.last?.contains("\"packetsMalformed\":0") == true)
  }

  @Test("a file that is not there is waited for", .timeLimit(.minutes(10)))
  func awaited() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "late.log")
    let (output, complaints) = (Pipe(), Pipe())
    let process = try Program.start(
      ["-F", "-o", "ndjson", file.path], Pipe(), output, complaints: complaints)
    DispatchQueue.global().asyncAfter(deadline: .now() + 300) {
      if process.isRunning { process.interrupt() }
    }
    let said = String(
      decoding: complaints.fileHandleForReading.availableData, as: UTF8.self)
    #expect(said.contains("late.log: no such file yet"))
    try Data((line(1) + line(2)).utf8).write(to: file)
    var text = ""
    while !text.contains("\"publication\":2") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    process.interrupt()
    process.waitUntilExit()
    #expect(text.contains("\"publication\":1") && text.contains("\"publication\":2"))
  }
}
