// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// One folder of `samples/`: evidence, what it shows, and the commands that are run on it.
struct Sample: Sendable, CustomTestStringConvertible {
  static let protocols = [
    "check", "engineio", "exports", "filter", "http", "http2", "json", "jsonprotocols", "jsonrpc",
    "logs",
    "masking", "mqtt", "paste", "pcap", "rawsocket", "socketio", "sockjs", "stomp", "tcp", "tls",
    "wamp",
    "wampv1",
    "websocket",
  ]
  /// What the inputs of a case may have together, in bytes.
  static let largest = 20 << 10

  /// `samples/` of this package.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "samples")

  /// Whether transcripts and crafted inputs are to be written instead of compared.
  static let isUpdating = ProcessInfo.processInfo.environment["UPDATE_SAMPLES"] == "1"

  /// All there are; crafted inputs are written first when they are to be.
  static let all: [Sample] = {
    if isUpdating { Crafted.writeAll() }
    return entries(root).filter { protocols.contains($0) }.flatMap { name in
      // A page beside the cases is none of them.
      entries(root.appending(path: name)).filter { !$0.hasSuffix(".md") }
        .map { Sample(name: "\(name)/\($0)") }
    }
  }()

  /// `wamp/chat`.
  var name: String

  var testDescription: String { name }
  var folder: URL { Self.root.appending(path: name) }
  var files: [String] { Self.entries(folder) }
  var inputs: [String] { files.filter { $0.hasPrefix("input") } }

  func text(_ file: String) -> String? {
    try? String(contentsOf: folder.appending(path: file), encoding: .utf8)
  }

  func size(_ file: String) -> Int {
    (try? Data(contentsOf: folder.appending(path: file)).count) ?? 0
  }

  /// The lines of the transcript that begin with `$ `, without it.
  var commands: [String] {
    (text("transcript.txt") ?? "").split(separator: "\n").filter { $0.hasPrefix("$ ") }
      .map { String($0.dropFirst(2)) }
  }

  /// Commands that print every message and finding: what is explained finds nothing, a ladder has
  /// no machine format, and a check says pass or fail.
  var showing: [String] {
    let others = ["wamptap explain", "wamptap flow", "wamptap check", "wamptap trace"]
    return commands.filter { command in !others.contains { command.hasPrefix($0) } }
  }

  /// The lines of the README.
  var readme: [String] {
    (text("README") ?? "").split(separator: "\n").map { String($0) }
  }

  /// The codes on the README's second line; nil when it has none.
  var expectedCodes: Set<String>? {
    guard readme.count == 2, readme[1].hasPrefix("findings: ") else { return nil }
    let words = readme[1].dropFirst("findings: ".count)
    if words == "none" { return [] }
    return Set(
      words.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
  }

  /// Names in a folder, in order, hidden ones left out.
  static func entries(_ folder: URL) -> [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return all.filter { !$0.hasPrefix(".") }.sorted()
  }
}
