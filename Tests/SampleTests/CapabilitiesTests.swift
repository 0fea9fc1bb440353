// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// What a file gives to those who run it, setcap(8), is given up once it was needed.
@Suite("Capabilities", .serialized) struct CapabilitiesTests {
  private static let change = "/usr/sbin/setcap"
  private static let become = "/usr/bin/setpriv"

  /// A copy of the program that may capture, whoever runs it; nil where nobody can make one.
  private static func copy() -> URL? {
    let place = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString)-wt")
    guard geteuid() == 0, FileManager.default.isExecutableFile(atPath: change),
      FileManager.default.isExecutableFile(atPath: become),
      let program = try? Program.built(),
      (try? FileManager.default.copyItem(at: program, to: place)) != nil
    else { return nil }
    chmod(place.path, 0o755)
    let process = Process()
    process.executableURL = URL(filePath: change)
    process.arguments = ["cap_net_raw+ep", place.path]
    process.standardError = FileHandle.nullDevice
    try? process.run()
    process.waitUntilExit()
    if process.terminationStatus == 0 { return place }
    try? FileManager.default.removeItem(at: place)
    return nil
  }

  private static let works: Bool = {
    guard let copy = copy() else { return false }
    try? FileManager.default.removeItem(at: copy)
    return true
  }()

  @Test(
    "are given up once the interface is open, and when nothing is captured",
    .enabled(if: works && LiveTests.canCapture, "setcap does not work here"),
    .timeLimit(.minutes(10)), arguments: [true, false])
  func dropped(isLive: Bool) throws {
    let copy = try #require(Self.copy())
    defer { try? FileManager.default.removeItem(at: copy) }
    let (evidence, output, complaints) = (Pipe(), Pipe(), Pipe())
    let process = Process()
    process.executableURL = URL(filePath: Self.become)
    let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", copy.path]
    process.arguments = nobody + (isLive ? ["-i", LiveTests.loopback, "port", "9"] : [])
    process.currentDirectoryURL = URL(filePath: "/")
    (process.standardInput, process.standardOutput) = (evidence, output)
    process.standardError = complaints
    try process.run()
    // By then all was opened.
    var said = ""
    if isLive {
      said = String(decoding: complaints.fileHandleForReading.availableData, as: UTF8.self)
      #expect(said.contains("capturing on"))
    } else {
      evidence.fileHandleForWriting.write(Data("10:00:01 TX: [1,\"realm1\",{}]\n".utf8))
      #expect(!output.fileHandleForReading.availableData.isEmpty)
    }
    let status = try String(
      contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    let lines = status.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    for name in ["CapInh:", "CapPrm:", "CapEff:", "CapAmb:"] {
      #expect(lines.first { $0[0] == name }?.last == String(repeating: "0", count: 16), "\(name)")
    }
    #expect(lines.first { $0[0] == "NoNewPrivs:" }?.last == "1")
    try evidence.fileHandleForWriting.close()
    process.terminate()
    process.waitUntilExit()
  }
}
