// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import TapTraffic
import Testing

/// Files that gzip has compressed, and that were damaged since: what can be read of them is, and
/// where nothing can, that is said and shows in the exit status.
@Suite("Damaged gzip") struct DamagedGzipTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  private static let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]

  private func read(_ octets: [UInt8]) throws -> Program.Outcome {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(octets).write(to: folder.appending(path: "input.gz"))
    return try Program.run(["input.gz"], in: folder)
  }

  @Test("nothing can be read", arguments: [[], [0xFF, 0xFF, 0xFF], [1, 5, 0, 0xFF, 0xFF]])
  func nothing(behind octets: [UInt8]) throws {
    let outcome = try read(Self.head + octets)
    #expect(outcome.status == 2)
    #expect(outcome.complaints.contains("input.gz: nothing of it could be read"))
    #expect(outcome.output.contains("gzip.unknown-content"))
  }

  private static var whole: [UInt8] {
    var talk = Dialogue()
    talk.open("chat.v1")
    for number in 0..<200 { talk.text(.toServer, "message \(number)") }
    return CaptureBuilder.deflatedGzip(talk.pcap())
  }

  @Test("the rest is damaged", arguments: [1, 200]) func damaged(fromEnd: Int) throws {
    var octets = Self.whole
    octets[octets.count - fromEnd] ^= 0xFF
    let outcome = try read(octets)
    #expect(outcome.status == 2 && outcome.output.contains("message 0"))
    #expect(outcome.output.contains("gzip.damaged"))
    #expect(outcome.complaints.contains("input.gz: the gzip stream is damaged"))
  }

  @Test("the rest is missing", arguments: [20, 200]) func some(dropped: Int) throws {
    let outcome = try read(Array(Self.whole.dropLast(dropped)))
    #expect(outcome.status == 0 && outcome.output.contains("message 0"))
    #expect(outcome.output.contains("gzip.truncated"))
  }
}
