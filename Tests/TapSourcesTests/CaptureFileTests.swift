// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapBytes
import TapCaptures
import TapEvidence
import TapTesting
import TapTraffic
import Testing

@testable import TapSources

/// Packets that are kept: the files, their names, and that they are read as they were written.
@Suite("Capture files", .serialized) struct CaptureFileTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func write(
    _ name: String, _ rotation: CaptureFile.Rotation = CaptureFile.Rotation(), packets: Int,
    octets: Int = 100
  ) throws -> CaptureFile {
    let file = try CaptureFile(
      folder.appending(path: name).path, rotation, program: "a test")
    let first = file.addInterface(
      CaptureFile.Interface(
        name: "lo", filter: "port 80", linkType: 1, snaplen: 96, precision: 9))
    let second = file.addInterface(
      CaptureFile.Interface(name: "", filter: "", linkType: 101, snaplen: 0, precision: 6))
    for number in 0..<packets {
      [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: octets + number % 4)
        .withUnsafeBytes {
          file.packet(
            $0, interface: number % 2 == 0 ? first : second, seconds: 1_700_000_000,
            fraction: UInt32(number % 2 == 0 ? 1000 * number : number), original: 200)
        }
    }
    var statistics = CaptureStatistics()
    statistics.received = 9
    file.close([statistics, statistics])
    return file
  }

  private func read(_ name: String) throws -> SinkRecorder {
    let bytes = ContiguousArray(try Data(contentsOf: folder.appending(path: name)))
    let sink = SinkRecorder()
    var input = PcapngInput(Place(input: 0), limits: Limits())
    input.receive(bytes.span.bytes, sink)
    input.finish(sink)
    return sink
  }

  @Test("have the secrets of those before them, as far as there is room") func secrets() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    var rotation = CaptureFile.Rotation()
    rotation.bytes = 1000
    let file = try CaptureFile(
      folder.appending(path: "s.pcapng").path, rotation, program: "a test", mostSecretBytes: 40)
    for octets in [30, 20, 10] {
      [UInt8](repeating: 0x61, count: octets).withUnsafeBytes { file.secrets($0) }
    }
    file.close([])
    #expect(file.omittedSecretBytes == 20)
  }

  @Test("are read as they were written") func reading() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = try write("a.pcapng", packets: 9)
    #expect(file.failure == nil && file.packets == 9)
    let sink = try read("a.pcapng")
    #expect(sink.findings.isEmpty)
    #expect(sink.packets.map { $0.bytes.count } == [100, 101, 102, 103, 100, 101, 102, 103, 100])
    #expect(sink.packets.map { $0.bytes[0] } == [0, 1, 2, 3, 4, 5, 6, 7, 8])
    for (index, reported) in sink.packets.enumerated() {
      let isFirst = index % 2 == 0
      #expect(
        reported.packet.linkType == (isFirst ? 1 : 101) && reported.packet.originalLength == 200)
      #expect(reported.packet.precision == (isFirst ? 9 : 6))
      #expect(reported.packet.time.nanoseconds == 1_700_000_000_000_000_000 + 1000 * Int64(index))
    }
  }

  @Test("begin anew when they are large enough, and by turns") func rotation() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    var rotation = CaptureFile.Rotation()
    rotation.bytes = 1000
    _ = try write("all", rotation, packets: 40)
    let all = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(all.first == "all" && all.contains("all1") && all.count == 6)
    let packets = try all.map { try read($0).packets.count }
    #expect(packets.reduce(0, +) == 40 && packets.allSatisfy { $0 > 0 })
    rotation.files = 3
    _ = try write("ring", rotation, packets: 40)
    let ring = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasPrefix("ring") }
    #expect(ring == ["ring0", "ring1", "ring2"])
    let last = try ring.flatMap { try read($0).packets.map { $0.bytes[0] } }.sorted()
    #expect(last == Array((UInt8(40 - last.count)..<40)), "the latest packets, all of them")
  }

  @Test("are never what standard input reads, and say what is wrong") func refusals() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(throws: CaptureFile.Failure.self) { try write("no/such/folder", packets: 1) }
    let full = try CaptureFile("/dev/full", CaptureFile.Rotation(), program: "a test")
    full.flush()
    guard case .cannotWrite("/dev/full", _) = full.failure else {
      return #expect(Bool(false), "a full disk is told")
    }
    #expect(full.isOver)
  }

  @Test("are never a file that is read, by whatever name") func inputs() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let log = folder.appending(path: "keys.txt")
    let link = folder.appending(path: "link")
    try Data("CLIENT_RANDOM".utf8).write(to: log)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: log)
    for name in [log.path, link.path] {
      #expect(throws: CaptureFile.Failure.isInput(path: name)) {
        try CaptureFile(
          name, CaptureFile.Rotation(), program: "a test", inputs: ["no such file", log.path])
      }
    }
    #expect(try Data(contentsOf: log) == Data("CLIENT_RANDOM".utf8))
  }

  @Test(
    "have the names that tcpdump gives them",
    arguments: [
      // name, millions, seconds, files, how many turns
      ("a", 1, nil, nil, ["a", "a1", "a2", "a3"]), ("a", 1, nil, 3, ["a0", "a1", "a2", "a0"]),
      ("a", 1, nil, 11, ["a00", "a01", "a02", "a03"]), ("a", 1, nil, 1, ["a0", "a0", "a0", "a0"]),
      ("%Y", nil, 60, nil, ["2023"]), ("a%%b", nil, 60, nil, ["a%b"]),
      ("%Y.", 1, 60, 100, ["2023.00", "2023.01"]), ("%Y", 1, nil, nil, ["%Y", "%Y1"]),
    ] as [(String, UInt64?, Int64?, Int?, [String])])
  func names(
    _ path: String, _ bytes: UInt64?, _ seconds: Int64?, _ files: Int?, _ expected: [String]
  ) {
    var rotation = CaptureFile.Rotation()
    (rotation.bytes, rotation.seconds, rotation.files) = (bytes, seconds, files)
    var names = CaptureFileNames(path, rotation, now: 1_690_000_000)
    for name in expected {
      #expect(names.current == name)
      names.advance()
    }
    names.advance(to: 1_730_000_000)
    if seconds != nil && path.hasPrefix("%Y") { #expect(names.current.hasPrefix("2024")) }
  }
}
