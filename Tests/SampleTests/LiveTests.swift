// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import TapTraffic
import Testing

/// Captures of the loopback interface. Where there is no right to capture, they are skipped.
@Suite("Live capture", .serialized) struct LiveTests {
  private static let doctor =
    (try? Program.run(["doctor"], in: Sample.root).output) ?? ""
  static let canCapture = doctor.contains("there is the right to capture")
  static let loopback =
    ((try? Program.run(["interfaces"], in: Sample.root).output) ?? "")
    .split(separator: "\n").first { $0.contains("loopback") }?
    .split(separator: " ").first.map(String.init) ?? "lo"

  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  private let evidence = Pipe()
  private let output = Pipe()
  private let complaints = Pipe()

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// A session with as many calls.
  static func talk(calls: Int) -> [(direction: Direction, octets: [UInt8])] {
    let upgrade = """
      GET /ws HTTP/1.1\r\nHost: router.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
      Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \(Dialogue.key)\r\n\
      Sec-WebSocket-Protocol: wamp.2.json\r\n\r\n
      """
    let answer = """
      HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
      Sec-WebSocket-Accept: \(Dialogue.accept)\r\nSec-WebSocket-Protocol: wamp.2.json\r\n\r\n
      """
    var parts: [(Direction, [UInt8])] = [
      (.toServer, Array(upgrade.utf8)), (.toClient, Array(answer.utf8)),
    ]
    func say(_ direction: Direction, _ text: String) {
      let frame = Dialogue.frame(
        opcode: 1, masked: direction == .toServer, Array(text.utf8), number: parts.count)
      parts.append((direction, frame))
    }
    say(.toServer, #"[1,"chat",{"roles":{"caller":{}}}]"#)
    say(.toClient, #"[2,7000000000,{"roles":{"dealer":{}}}]"#)
    for call in 1...max(calls, 1) {
      say(.toServer, #"[48,\#(call),{},"com.user.get",[\#(call)]]"#)
      say(.toClient, "[50,\(call),{},[1]]")
    }
    say(.toServer, #"[6,{},"wamp.close.normal"]"#)
    say(.toClient, #"[6,{},"wamp.close.goodbye_and_out"]"#)
    return parts
  }

  /// Starts a capture, and comes back when it captures.
  private func start(_ words: [String]) throws -> Process {
    let process = try Program.start(words, evidence, output, complaints: complaints)
    let interfaces = words.count { $0 == "-i" }
    var said = ""
    while said.split(separator: "\n").count < interfaces {
      let more = complaints.fileHandleForReading.availableData
      if more.isEmpty { break }
      said += String(decoding: more, as: UTF8.self)
    }
    #expect(said.hasPrefix("wamptap: capturing on \(Self.loopback)"))
    return process
  }

  /// A key log that only root may read is opened while it may.
  @Test("a key log of root's", .enabled(if: canCapture && geteuid() == 0))
  func keyLog() throws {
    let keys = folder.appending(path: "keys.txt")
    let sample = Sample.root.appending(path: "tls/no-key/input-other.keys")
    try FileManager.default.copyItem(at: sample, to: keys)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keys.path)
    let words = ["-i", Self.loopback, "-Z", "nobody", "--keylog", keys.path, "--for", "200ms"]
    let outcome = try Program.run(words + ["port", "9"], in: folder)
    #expect(outcome.status == 0 && !outcome.complaints.contains("keys.txt"))
    try? FileManager.default.removeItem(at: folder)
  }

  /// What it prints until a line has these words.
  private func read(until words: String) -> String {
    var shown = Data()
    // What has come may end within a character.
    while String(data: shown, encoding: .utf8)?.contains(words) != true {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      shown += more
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// Without the summary. Packets that were captured twice have two times, of which the one that
  /// is decoded first counts.
  private func lines(_ text: String, isTimed: Bool) -> [Substring] {
    let lines = text.split(separator: "\n").dropLast()
    return isTimed ? Array(lines) : lines.map { $0.dropFirst(15).prefix(70) }
  }

  private func rest() throws -> String {
    String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
  }

  @Test(
    "shows messages as they happen, and keeps the packets",
    .enabled(if: canCapture, "there is no right to capture here"),
    arguments: [1, 2])
  func messages(interfaces: Int) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let wire = try LoopbackConnection()
    let kept = folder.appending(path: "kept.pcapng").path
    var words = ["-i", Self.loopback, "-w", kept, "tcp", "port", "\(wire.port)"]
    // The same packets twice: each message is reported once.
    if interfaces == 2 { words = ["-i", Self.loopback] + words }
    let process = try start(words)
    try wire.speak(Self.talk(calls: 200))
    // It is shown while nothing more happens.
    let shown = read(until: "goodbye_and_out")
    kill(process.processIdentifier, SIGUSR1)
    let status = String(
      decoding: complaints.fileHandleForReading.availableData, as: UTF8.self)
    #expect(status.contains("404 messages in 1 connection; \(Self.loopback): "))
    #expect(status.contains("; 0 bytes undecodable\n"))
    process.terminate()
    let all = shown + (try rest())
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    let summary = try #require(all.split(separator: "\n").last)
    #expect(summary.hasPrefix("1 connection, 404 messages"))
    #expect(summary.contains(" · captured on \(Self.loopback): "))
    #expect(summary.hasSuffix("packets, dropped: none"))
    // What is kept decodes to the same.
    let again = try Program.run([kept], in: folder)
    #expect(again.status == 0)
    #expect(lines(again.output, isTimed: interfaces == 1) == lines(all, isTimed: interfaces == 1))
    #expect(lines(all, isTimed: true).count == 406)
    // An expression narrows what comes from a file, too.
    let none = try Program.run(["-r", kept, "port", "1"], in: folder)
    #expect(none.status == 0 && !none.output.contains("CALL"))
    let same = try Program.run(["-f", "port \(wire.port)", kept], in: folder)
    #expect(same.output == again.output)
  }

  @Test(
    "ends by itself when it was asked to",
    .enabled(if: canCapture, "there is no right to capture here"))
  func ends() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let wire = try LoopbackConnection()
    let process = try start(
      ["-i", Self.loopback, "-o", "ndjson", "-c", "3", "-f", "port \(wire.port)"])
    try wire.speak(Self.talk(calls: 5))
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    let objects = try rest().split(separator: "\n").compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    #expect(objects.count { $0["event"] as? String == "message" } == 3)
    let summary = try #require(objects.last)
    #expect(summary["stopped"] as? String == "count")
    let capture = try #require((summary["capture"] as? [[String: Any]])?.first)
    #expect(capture["interface"] as? String == Self.loopback)
    #expect((capture["captured"] as? Int ?? 0) > 5)
    #expect(
      capture["dropped"] as? [String: Int] == ["byKernel": 0, "byInterface": 0, "byProgram": 0])
  }

  @Test(
    "ends when its time is over, with nothing seen",
    .enabled(if: canCapture, "there is no right to capture here"))
  func time() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let outcome = try Program.run(
      ["-i", Self.loopback, "--for", "200ms", "port", "1"], in: folder)
    #expect(outcome.status == 0)
    #expect(
      outcome.output
        == "0 connections, 0 messages · captured on \(Self.loopback): 0 packets, dropped: none\n")
  }

  @Test(
    "says what is wrong",
    .enabled(if: canCapture, "there is no right to capture here"),
    arguments: [
      (["-i", "no-such0"], 2, "no-such0: there is no such interface; there are: "),
      (["-i", "LO", "-f", "port nowhere"], 64, "the filter 'port nowhere': "),
      (["-i", "LO", "-w", "no/such/file"], 2, "no/such/file: cannot be written: "),
      (["-i", "LO", "-Z", "no-such-user"], 2, "-Z no-such-user: there is no such user"),
    ] as [([String], Int32, String)])
  func errors(_ words: [String], _ status: Int32, _ text: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let words = words.map { $0 == "LO" ? Self.loopback : $0 }
    let outcome = try Program.run(words, in: folder)
    let last = outcome.complaints.split(separator: "\n").last ?? ""
    // Only root is asked who to become.
    if words.contains("-Z") && getuid() != 0 { return }
    #expect(outcome.status == status && last.hasPrefix("wamptap: \(text)"), "\(last)")
  }

  @Test("keeps what comes by standard input") func standardInput() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let sample = Sample.root.appending(path: "wamp/chat/input.pcap").path
    try FileManager.default.copyItem(
      atPath: sample, toPath: folder.appending(path: "input.pcap").path)
    let outcome = try Program.run(["-w", "kept", "-"], standardInput: "input.pcap", in: folder)
    #expect(outcome.status == 0)
    #expect(try Program.run(["kept"], in: folder).output == outcome.output)
    let over = try Program.run(["-w", "input.pcap", "-"], standardInput: "input.pcap", in: folder)
    #expect(over.status == 64)
    #expect(FileManager.default.contentsEqual(atPath: sample, andPath: folder.path + "/input.pcap"))
  }

  @Test(
    "refuses what makes no sense",
    arguments: [
      ["-s", "100", "FILE"], ["-p", "FILE"], ["-B", "1", "FILE"], ["-Z", "root", "FILE"],
      ["-w", "x", "FILE"], ["-C", "1", "FILE"], ["-i", "lo", "-r", "FILE"],
      ["-i", "lo", "-w", "-"], ["-i", "lo", "-w", "x", "-O", "x"],
      ["-i", "lo", "-w", "x", "-W", "1"],
      ["-i", "lo", "-w", "x", "-G", "0"], ["-i", "lo", "-f", "tcp", "udp"],
      ["-i", "lo", "-s", "-1"],
      ["-i", "lo", "--for", "soon"], ["-i", "lo", "--for", "0s"],
      ["-i", "lo", "-F"], ["-i", "lo", "--input", "pcap"],
      ["-", "-w", "x", "-C", "18446744073709551615"],
    ])
  func usage(_ words: [String]) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let sample = Sample.root.appending(path: "wamp/chat/input.pcap").path
    let outcome = try Program.run(words.map { $0 == "FILE" ? sample : $0 }, in: folder)
    #expect(outcome.status == 64 && outcome.output.isEmpty)
  }
}
