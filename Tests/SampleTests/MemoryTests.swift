// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import TapTraffic
import Testing

/// Whatever it is fed, the program takes 192 MB at most.
@Suite("Memory") struct MemoryTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  /// The most that one of the programs the tests have run so far has taken, in MB.
  private static var peak: Int {
    var usage = rusage()
    #if os(Linux)
      getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
      return usage.ru_maxrss >> 10
    #else
      getrusage(RUSAGE_CHILDREN, &usage)
      return usage.ru_maxrss >> 20
    #endif
  }

  private func run(_ octets: [UInt8], _ name: String, _ words: [String]) throws -> Program.Outcome {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(octets).write(to: folder.appending(path: name))
    return try Program.run([name] + words, in: folder)
  }

  @Test("a line of a log with a list that has 5 million lists inside") func line() throws {
    let start = Array("2026-11-19 10:00:01.000 DEBUG TX: ".utf8)
    var octets = start
    for _ in 0..<(16 << 20) / 3 { octets += [0x5B, 0x31, 0x2C] }
    let outcome = try run(octets + [0x0A], "one-line.log", [])
    #expect(outcome.complaints.contains("no message in 1 line"))
    #expect(Self.peak <= 192)
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
    let outcome = try run(talk.pcap(), "input.pcap", ["-o", "ndjson"])
    #expect(outcome.output.contains("\"name\":\"HELLO\""))
    #expect(!outcome.output.contains("secret-399999\""))
    #expect(Self.peak <= 192)
  }
}
