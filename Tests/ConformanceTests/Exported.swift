// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// The exports of the corpus whose messages endpoints wrote down.
struct Exported: Sendable, CustomTestStringConvertible {
  let file: String
  /// The name of the record.
  let record: String
  /// In the record of each endpoint.
  let messages: Int

  var testDescription: String { file }

  static let all = [
    Exported(file: "browser-autobahnjs.har", record: "browser-autobahnjs", messages: 49),
    Exported(
      file: "browser-netlog-bytes-wss.netlog.json.gz", record: "browser-netlog-bytes-wss",
      messages: 49),
    Exported(file: "mitm-ws-json.flow", record: "mitm-ws-json", messages: 45),
    Exported(file: "mitm-ws-json.har", record: "mitm-ws-json", messages: 45),
  ]

  static func path(_ file: String) -> String { (Captures.root ?? "") + "/logs/" + file }

  static var areThere: Bool {
    Captures.areThere && FileManager.default.fileExists(atPath: path(all[0].file))
  }

  static func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path("")).sorted()
  }

  func bytes() throws -> [UInt8] { try Captures.bytes(of: Self.path(file)) }
}
