// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// `--save` writes the packets of what a display filter matches.
@Suite("Saved packets") struct SavingTests {
  private func messages(_ words: [String], in folder: URL) throws -> [[String: Any]] {
    let output = try Program.run(["-o", "ndjson"] + words, in: folder).output
    return try output.split(separator: "\n").compactMap { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return object?["event"] as? String == "message" ? object : nil
    }
  }

  /// Of a message, what does not depend on the packets that were left out.
  private func reported(_ message: [String: Any]) throws -> String {
    let known = message.filter { ["time", "name", "body", "ids", "latency"].contains($0.key) }
    let data = try JSONSerialization.data(withJSONObject: known, options: .sortedKeys)
    return String(decoding: data, as: UTF8.self)
  }

  private static let samples: [(name: String, input: String)] = [
    ("filter/trace", "input.pcap"), ("filter/trace-two-ports", "input.pcap.gz"),
    ("tcp/fragments", "input.pcap"), ("socketio/polling", "input.pcap"),
    ("tls/pcapng-secrets", "input.pcapng"),
  ]

  @Test("are whole connections, which say what they said", arguments: samples)
  func connections(name: String, input: String) throws {
    let folder = Sample(name: name).folder
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).pcapng")
    defer { try? FileManager.default.removeItem(at: file) }
    let all = try messages([input], in: folder)
    let numbers = Set(all.compactMap { $0["connection"] as? Int })
    try #require(!numbers.isEmpty)
    for number in numbers.sorted().prefix(4) {
      let made = try Program.run(["-Y", "#\(number)", "--save", file.path, input], in: folder)
      #expect(made.status == 0, "\(made.complaints)")
      #expect(made.complaints.contains("saved"))
      let own = all.filter { $0["connection"] as? Int == number }
      let saved = try messages([file.path], in: folder)
      #expect(try saved.map(reported) == own.map(reported))
    }
  }

  @Test("are those of an exchange, behind the beginning of its connections") func exchange() throws
  {
    let folder = Sample(name: "filter/trace-two-ports").folder
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).pcapng")
    defer { try? FileManager.default.removeItem(at: file) }
    for extent in ["exchange", "messages"] {
      let made = try Program.run(
        ["-Y", "failed", "--save", file.path, "--keep", extent, "input.pcap.gz"], in: folder)
      #expect(made.status == 0, "\(made.complaints)")
      let saved = try messages([file.path], in: folder)
      let names = saved.filter { ($0["subject"] as? String) == "com.calc.fail" }
        .compactMap { $0["name"] as? String }
      #expect(names.contains("ERROR"))
      #expect(names.contains("CALL") || extent == "messages")
      #expect(saved.count < 12)
    }
  }

  @Test("are those of a whole session of polling, whose answers need their requests")
  func polling() throws {
    let folder = Sample(name: "socketio/upgrade").folder
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).pcapng")
    defer { try? FileManager.default.removeItem(at: file) }
    let made = try Program.run(
      ["-Y", "EVENT", "--save", file.path, "--keep", "messages", "input.pcap"], in: folder)
    #expect(made.status == 0, "\(made.complaints)")
    func first(_ input: String) throws -> [String] {
      try messages([input], in: folder).filter { $0["connection"] as? Int == 1 }.map(reported)
    }
    #expect(try first(file.path) == first("input.pcap"))
  }

  /// Cuts a capture (pcap, little-endian) behind so many packets.
  private func halves(_ capture: Data, behind packets: Int) -> [Data] {
    var at = 24
    for _ in 0..<packets {
      let length = capture[at + 8..<at + 12].enumerated().reduce(0) {
        $0 | Int($1.element) << (8 * $1.offset)
      }
      at += 16 + length
    }
    return [capture[..<at], capture[..<24] + capture[at...]]
  }

  @Test("are the same where a capture goes on in another file") func files() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let capture = Sample(name: "wamp/rpc").folder.appending(path: "input.pcap")
    let whole = try Data(contentsOf: capture)
    try whole.write(to: folder.appending(path: "whole.pcap"))
    func saved(_ extent: String, _ inputs: [String]) throws -> [String] {
      let words = ["-q", "-Y", "failed", "--save", "x.pcapng", "--keep", extent]
      #expect(try Program.run(words + inputs, in: folder).status == 0)
      return try messages(["x.pcapng"], in: folder).map(reported)
    }
    for extent in ["connection", "exchange", "messages"] {
      let expected = try saved(extent, ["whole.pcap"])
      #expect(!expected.isEmpty)
      for cut in stride(from: 10, to: 90, by: 16) {
        for (number, half) in halves(whole, behind: cut).enumerated() {
          try half.write(to: folder.appending(path: "half\(number).pcap"))
        }
        #expect(try saved(extent, ["half0.pcap", "half1.pcap"]) == expected, "\(extent), \(cut)")
      }
    }
  }

  @Test("need a filter, packets, and a file that is not read") func refusals() throws {
    let folder = Sample(name: "filter/trace").folder
    func status(_ words: [String]) throws -> Int32 {
      try Program.run(words, in: folder).status
    }
    #expect(try status(["--save", "x.pcapng", "input.pcap"]) == 64)
    #expect(try status(["-Y", "failed", "--keep", "exchange", "input.pcap"]) == 64)
    #expect(try status(["-Y", "failed", "--save", "input.pcap", "input.pcap"]) == 64)
    #expect(try status(["-Y", "EVENT", "--save", "x.pcapng", "README"]) == 2)
    let pasted = try Program.run(["-Y", "EVENT", "--save", "x.pcapng", "[33,1,2]"], in: folder)
    #expect(pasted.status == 64 && pasted.output.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/x.pcapng"))
  }
}
