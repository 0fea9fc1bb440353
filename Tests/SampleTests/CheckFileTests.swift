// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// What is said of wrong expectations, and how a check ends.
@Suite("Expectations", .serialized) struct CheckFileTests {
  private let folder: URL
  private let capture = "input.pcap"

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: Sample.root.appending(path: "check/passes/input.pcap"),
      to: folder.appending(path: "input.pcap"))
  }

  private func leave() { try? FileManager.default.removeItem(at: folder) }

  private func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: name))
  }

  private static let wrongFiles: [(text: String, complaint: String)] = [
    ("expects: []\n", "1:1: 'expects' is no key of an expectations file; did you mean 'expect'?"),
    ("version: 2\n", "1:10: this reads version 1, not 2"),
    ("fail-on: fatal\n", "1:10: 'fatal' is none of note, warning, error and never"),
    ("expect: x\n", "1:9: 'expect' is a list; begin each with '- '"),
    ("expect:\n  - nome: CALL\n", "2:5: 'nome' is no key of an expectation; did you mean 'none'?"),
    ("expect:\n  - name: x\n", "2:5: an expectation needs one of each, count, none, latency"),
    ("expect:\n  - none: faild\n", "2:11: the filter has no field 'faild'; did you mean 'failed'?"),
    ("expect:\n  - none: CALL and latency > 5\n", "2:30: a duration needs a unit: 5ms, or 5s"),
    ("expect:\n  - none: 'EVNT'\n", "2:12: no message of WAMP is called 'EVNT'; EVENT is"),
    (
      "expect:\n  - {none: CALL, each: CALL}\n",
      "2:5: an expectation has one of each and none, not both"
    ),
    ("expect:\n  - count: CALL\n", "2:12: 'count' needs at-least, at-most or exactly"),
    (
      "expect:\n  - {count: CALL, at-least: 3, at-most: 1}\n",
      "2:29: at-least 3 is more than at-most 1"
    ),
    ("expect:\n  - {count: CALL, at-least: x}\n", "2:29: 'x' is no number"),
    ("expect:\n  - {each: CALL, answered: soon}\n", "2:28: 'soon' is neither 'true' nor"),
    ("expect:\n  - latency: RESULT\n", "2:14: 'latency' needs a bound, as p95: < 200ms"),
    ("expect:\n  - {latency: RESULT, p95: 200}\n", "2:28: '200' is no bound; write < 200ms"),
    ("expect:\n  - in-order: [HELLO]\n", "2:15: 'in-order' needs two filters or more"),
    (
      "expect:\n  - {none: CALL, per: session}\n",
      "2:18: 'per' is no key of an expectation with 'none'"
    ),
    (
      "expect:\n  - {count: CALL, at-most: 1, per: user}\n",
      "2:36: 'user' is none of session, connection, subject and client"
    ),
    (
      "expect:\n  - {name: a, none: CALL}\n  - {name: a, none: EVENT}\n",
      "3:5: there are two expectations called 'a'"
    ),
    ("ignore:\n  - code: wamp.call-unanswerd\n    because: x\n", "2:11: no finding is called"),
    ("ignore:\n  - code: wamp.call-unanswered\n", "2:5: a rule of 'ignore' needs 'because'"),
    (
      "ignore:\n  - {code: wamp.call-unanswered, because: x, until: 2026-02-30}\n",
      "2:53: '2026-02-30' is no day; write 2027-03-01"
    ),
    ("expect: [\n", "2:1: this cannot be read as YAML"),
  ]

  @Test("of a file are refused with line, column and a mark", arguments: wrongFiles)
  func wrong(text: String, complaint: String) throws {
    defer { leave() }
    try write(text, "x.yaml")
    let outcome = try Program.run(["check", "-e", "x.yaml", capture], in: folder)
    #expect(outcome.status == 2)
    #expect(outcome.output == "")
    #expect(outcome.complaints.hasPrefix("wamptap: x.yaml:\(complaint)"), "\(outcome.complaints)")
    let lines = outcome.complaints.split(separator: "\n")
    #expect(lines.count < 2 || lines[2].contains("^"))
  }

  private static let statuses: [(words: [String], status: Int32)] = [
    (["--expect", "none: failed"], 0), (["--expect", "none: GOODBYE"], 1),
    (["--expect", "count: EVENT; at-least: 1"], 1),
    (["--expect", "count: EVENT; at-least: 1", "--allow-nothing"], 0),
    (["--expect", "none: faild"], 64), (["--expect", "nome: CALL"], 64),
    (["--expect", ""], 64), (["-Y", "faild"], 64), (["--fail-on", "fatal"], 64),
    (["--ignore", "wamp.x"], 64), (["--only", "wamp.x"], 64), (["--only", "wamp."], 0),
    (["--report", "junit"], 64), (["--report", "junit=x.txt"], 64), (["-o", "html"], 64),
    (["-e", "missing.yaml"], 2), (["--baseline", "missing.json"], 2), (["missing.pcap"], 2),
    (["--expect", "each: CALL; answered: within 1s", "-Y", "#1"], 0),
    (["--expect", "count: CALL; exactly: 0", "-Y", "#2"], 0),
  ]

  @Test("end with a status", arguments: statuses)
  func status(words: [String], status: Int32) throws {
    defer { leave() }
    let outcome = try Program.run(["check"] + words + [capture], in: folder)
    #expect(outcome.status == status, "\(outcome.complaints)\(outcome.output)")
  }

  @Test("a broken promise ends a run that would not end") func endless() throws {
    defer { leave() }
    try write("sent [33,11,5862354]\nsent [8,48,1,{},\"wamp.error.x\"]\n", "app.log")
    let outcome = try Program.run(
      ["check", "-q", "-F", "--for", "30s", "--expect", "none: failed", "app.log"], in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.output.hasPrefix("fail "), "\(outcome.output)")
  }

  @Test("of another dialect than WAMP are checked alike") func dialects() throws {
    defer { leave() }
    let mqtt = Sample.root.appending(path: "mqtt/tls/input.pcap").path
    let keys = Sample.root.appending(path: "mqtt/tls/input.keys").path
    let outcome = try Program.run(
      [
        "check", "-q", "--keylog", keys, mqtt, "--expect", "each: SUBSCRIBE; answered: within 5s",
        "--expect", "in-order: [CONNECT, CONNACK]",
        "--expect", "count: PUBLISH; at-least: 1",
      ], in: folder)
    #expect(outcome.output.contains("pass          each: SUBSCRIBE"), "\(outcome.output)")
    #expect(!outcome.output.contains("fail  "), "\(outcome.output)")
    let closed = try Program.run(
      ["check", "-q", mqtt, "--expect", "none: failed"], in: folder)
    #expect(closed.status == 1)
    #expect(closed.output.contains("stayed closed"), "\(closed.output)")
  }

  @Test("may be more than sixty-three") func many() throws {
    defer { leave() }
    let none = (1...80).map { "  - {name: n\($0), none: 'ABORT and args[\($0)] == 1'}\n" }
    let count = "  - {count: CALL, at-least: 1}\n  - {none: RESULT}\n"
    try write("expect:\n" + none.joined() + count, "x.yaml")
    let outcome = try Program.run(["check", "-q", "-e", "x.yaml", capture], in: folder)
    #expect(outcome.output.contains("pass          count: CALL"), "\(outcome.output)")
    #expect(outcome.output.contains("fail          none: RESULT"), "\(outcome.output)")
  }
}
