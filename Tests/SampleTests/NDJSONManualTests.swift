// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// What the samples print as NDJSON is described by wamptap-ndjson(5).
@Suite("Manual of the machine output", .serialized) struct NDJSONManualTests {
  /// Keys that no sample prints, and why.
  private static let exceptions: [String: String] = [
    "capture": "of live captures only", "interface": "of live captures only",
    "captured": "of live captures only", "received": "of live captures only",
    "dropped": "of live captures only", "byKernel": "of live captures only",
    "byInterface": "of live captures only", "byProgram": "of live captures only",
  ]

  private func manual() throws -> [String] {
    let page = Sample.root.deletingLastPathComponent().appending(path: "man/wamptap-ndjson.5")
    return try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
  }

  /// The keys behind `.It Li`.
  private func keys(on line: String) -> [String] {
    if !line.hasPrefix(".It Li ") { return [] }
    return line.dropFirst(7).split(separator: " ").filter { $0 != "Li" && $0 != "," }
      .map { String($0) }
  }

  /// The keys by the part of the page that they stand in.
  private func documented() throws -> [String: Set<String>] {
    var parts: [String: Set<String>] = [:]
    var part = ""
    for line in try manual() {
      if line.hasPrefix(".Ss ") { part = String(line.dropFirst(4)) }
      for key in keys(on: line) { parts[part, default: []].insert(key) }
    }
    return parts
  }

  @Test("ids can be filtered by") func ids() throws {
    let part = try manual().drop { $0 != ".It Li ids" }.dropFirst().prefix { $0 != ".El" }
    let ids = part.flatMap { keys(on: $0) }
    #expect(ids.contains("request") && ids.contains("document"))
    for id in ids {
      let words = ["-q", "-Y", "ids.\(id) == 1", "[33,11,5862354]"]
      let outcome = try Program.run(words, in: Sample.root)
      #expect(outcome.status == 0 && !outcome.complaints.contains("no protocol"), "\(id)")
    }
  }

  private static let part = [
    "connection": "Lines about connections", "message": "Lines about messages",
    "finding": "Lines about findings", "summary": "The summary", "stats": "Statistics",
  ]

  /// The keys of an object and of those inside it; what is in a body or called by
  /// users is not ours.
  private func keys(of object: [String: Any]) -> Set<String> {
    var keys = Set(object.keys)
    for (key, value) in object where !["body", "raw", "names", "fields"].contains(key) {
      if let inner = value as? [String: Any] { keys.formUnion(self.keys(of: inner)) }
    }
    return keys
  }

  @Test("describes every key that is printed, and no others") func keys() throws {
    let documented = try documented()
    let common = try #require(documented["Common keys"])
    #expect(common == ["time", "origin", "input", "packet", "line"])
    var printed: [String: Set<String>] = [:]
    for sample in Sample.all {
      for line in try sample.ndjson() {
        var object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        // An application calls its ids as it likes.
        if object?["protocol"] as? String == "json" { object?["ids"] = nil }
        let event = try #require(object?["event"] as? String)
        printed[event, default: []].formUnion(keys(of: object!))
      }
    }
    #expect(printed.keys.sorted() == Self.part.keys.sorted(), "kinds of lines")
    for (event, keys) in printed {
      let described = try #require(documented[Self.part[event] ?? ""], "\(event)")
      #expect(keys.subtracting(described).subtracting(common).sorted() == [], "of \(event)")
      let unseen = described.subtracting(keys).subtracting(Self.exceptions.keys)
      #expect(unseen.sorted() == [], "described for \(event), but not printed by any sample")
    }
    let all = printed.values.reduce(into: Set<String>()) { $0.formUnion($1) }
    #expect(all.intersection(Self.exceptions.keys).sorted() == [], "exceptions without need")
  }
}
