// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import TapTraffic
import Testing

/// Whatever it is fed, the program takes 192 MB at most.
@Suite("Memory", .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
struct MemoryTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  /// Runs the program, and looks while it runs at the most memory that it has had.
  private func run(
    _ octets: [UInt8], _ name: String, _ words: [String]
  ) throws -> (outcome: Program.Outcome, peak: Int) {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(octets).write(to: folder.appending(path: name))
    // A shell knows of its own children only.
    let line = (["\"$wamptap\"", name] + words).joined(separator: " ")
    let script = """
      \(line) & pid=$!
      while kill -0 $pid 2> /dev/null; do
        grep VmHWM /proc/$pid/status >> peak 2> /dev/null
        sleep 0.05
      done
      wait $pid
      """
    let outcome = try Program.shell(script, in: folder)
    let seen = try String(contentsOf: folder.appending(path: "peak"), encoding: .utf8)
    let kilobytes = seen.split(separator: "\n").compactMap { line in
      Int(line.split { !$0.isNumber }.first ?? "")
    }
    return (outcome, (kilobytes.max() ?? 0) >> 10)
  }

  @Test("a line of a log with a list that has 5 million lists inside") func line() throws {
    let start = Array("2026-11-19 10:00:01.000 DEBUG TX: ".utf8)
    var octets = start
    for _ in 0..<(16 << 20) / 3 { octets += [0x5B, 0x31, 0x2C] }
    let (outcome, peak) = try run(octets + [0x0A], "one-line.log", [])
    #expect(outcome.complaints.contains("no message in 1 line"))
    #expect(peak > 16 && peak <= 192)
  }

  @Test("a HELLO with 400,000 credentials") func credentials() throws {
    var talk = Dialogue()
    talk.open("wamp.2.json")
    var hello = "[1,\"r\",{\"roles\":{\"caller\":{}},\"authextra\":{"
    for number in 0..<400_000 { hello += "\"k\(number)\":\"secret-\(number)\"," }
    let octets = Array((hello + "\"last\":1}}]").utf8)
    let frame = Dialogue.frame(opcode: 1, masked: true, octets)
    for start in stride(from: 0, to: frame.count, by: 1 << 15) {
      talk.send(.toServer, Array(frame[start..<min(frame.count, start + (1 << 15))]))
    }
    let (outcome, peak) = try run(talk.pcap(), "input.pcap", ["-o", "ndjson"])
    #expect(outcome.output.contains("\"name\":\"HELLO\""))
    #expect(!outcome.output.contains("secret-399999\""))
    #expect(peak > 16 && peak <= 192)
  }
}
