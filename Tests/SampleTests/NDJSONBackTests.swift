// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// What was written as NDJSON tells the same when it is read again.
@Suite("NDJSON back in") struct NDJSONBackTests {
  /// Connections and messages, without where they were found.
  private func reported(_ output: String) throws -> [String] {
    try output.split(separator: "\n").compactMap { line in
      var object =
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      guard ["connection", "message"].contains(object["event"] as? String) else { return nil }
      // What comes over HTTP is read again as if it had come over WebSocket.
      for key in ["origin", "fragments", "transports"] { object[key] = nil }
      if object["carrier"] as? String == "http" { object["carrier"] = nil }
      let data = try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
      return String(decoding: data, as: UTF8.self)
    }
  }

  /// Of the lines of a log it is known that they may be of several connections, so that what could
  /// answer either is joined with none; and what `40` was before a message showed the protocol.
  private static let differing = [
    "json/log-mixed/input.log", "logs/two-sessions/input.challenges",
    "logs/python-clients/input.held",
  ]

  @Test("connections and messages are the same", arguments: Sample.all)
  func same(_ sample: Sample) throws {
    // The names of fields are given with a switch, and are not in what is read again.
    if sample.name == "wamp/names" { return }
    // That a text is of a bare stream, its message says, and not its connection.
    if sample.name == "json/broken-lines" { return }
    // Which packets were sent again is known of bytes, and not of what tells of packets.
    if sample.name == "mqtt/id-used-again" { return }
    // `40` ahead of all else is a CONNECT where the words of a log say so.
    if sample.name == "socketio/log-node-sides" { return }
    // Text that a log has cut has no type of a packet; a finding stands before the first frame.
    if ["socketio/log-websocket", "sockjs/log-client"].contains(sample.name) { return }
    let inputs = sample.inputs
    for input in inputs where !sample.isFolder(input) {
      if Self.differing.contains("\(sample.name)/\(input)") { continue }
      let first = try Program.run(["-o", "ndjson", input], in: sample.folder).output
      let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: file) }
      try first.write(to: file, atomically: true, encoding: .utf8)
      // What is read again does not stand beside the names.
      let beside = "wamptap.yaml"
      let names = Sample.entries(sample.folder).contains(beside) ? ["--names", beside] : []
      let second = try Program.run(["-o", "ndjson", file.path] + names, in: sample.folder).output
      #expect(try reported(first) == reported(second), "\(input)")
    }
  }
}

extension Sample {
  fileprivate func isFolder(_ input: String) -> Bool {
    let values = try? folder.appending(path: input).resourceValues(forKeys: [.isDirectoryKey])
    return values?.isDirectory == true
  }
}
