// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import TapTraffic
import Testing

/// A capture whose output nobody reads: packets are fetched as long as there is room for them, and
/// those for which there was none are reported.
@Suite("Dropped packets", .serialized) struct DroppingTests {
  @Test(
    "are counted, and a finding says where they are missing",
    .enabled(if: LiveTests.canCapture, "there is no right to capture here"))
  func reported() throws {
    let (evidence, output, complaints) = (Pipe(), Pipe(), Pipe())
    let (talk, bulk) = (try LoopbackConnection(), try LoopbackConnection())
    let process = try Program.start(
      ["-o", "ndjson", "-i", LiveTests.loopback, "port", "\(talk.port)", "or", "\(bulk.port)"],
      evidence, output, complaints: complaints)
    _ = complaints.fileHandleForReading.availableData
    // More than a pipe takes, and then more than may wait.
    try talk.speak(LiveTests.talk(calls: 1000))
    let octets = [UInt8](repeating: 0, count: 60_000)
    try bulk.speak(
      [(direction: Direction, octets: [UInt8])](
        repeating: (.toServer, octets), count: Limits().captureBytes * 3 / 2 / octets.count),
      pause: 500)
    process.terminate()
    let text = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let objects = try text.split(separator: "\n").compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    // Not one of those that came before is missing.
    #expect(objects.count { $0["event"] as? String == "message" } == 2004)
    let capture = try #require((objects.last?["capture"] as? [[String: Any]])?.first)
    let dropped = try #require(capture["dropped"] as? [String: Int])
    let findings = objects.filter { $0["code"] as? String == "capture.dropped" }
    #expect((dropped["byProgram"] ?? 0) > 0)
    if dropped["byKernel"] == 0 {
      let texts = findings.compactMap { $0["text"] as? String }
      #expect(texts.allSatisfy { $0.contains(" dropped by wamptap itself on ") })
      let reported = texts.compactMap { Int($0.prefix { $0.isNumber }) }.reduce(0, +)
      #expect(findings.count < 10 && reported == dropped["byProgram"])
    }
    // What was captured and not dropped was decoded.
    let counts = try #require(objects.last?["counts"] as? [String: Int])
    #expect(counts["packets"] == (capture["captured"] as? Int ?? 0) - (dropped["byProgram"] ?? 0))
  }
}
