// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapBytes
import TapTraffic
import Testing

@testable import TapCheck

/// Whatever stands in names, files and messages, each report is what its readers take.
@Suite("Reports") struct ReportTests {
  private static let hostile =
    "<a b=\"c\" d='e'> & ]]> %0A::error:: a,b;c#d|e`f\u{1B}[31m\n\r\t\u{0}\u{202E}\u{FFFF}é漢🎉"

  private static func report(_ verdict: Verdict, about code: Bool, log: Bool) -> CheckReport {
    let message = MessageReference(
      index: 7, connection: 2, time: Instant(nanoseconds: 1_500_000_000), input: 0, record: 12,
      isLine: log, direction: .toClient, name: "RESULT", subject: 0, answers: 3)
    var result = CheckResult(
      code ? "wamp.call-unanswered" : hostile,
      code ? .finding("wamp.call-unanswered", .warning) : .expectation("each"), verdict, hostile,
      at: code ? nil : Expectation.SourceLine(file: hostile, line: 3))
    (result.checked, result.failed) = (4, 2)
    if verdict != .pass {
      var example = CheckResult.Example(
        message: message, about: hostile, text: hostile, request: message, severity: nil)
      example.requestAbout = hostile
      if code { (example.severity, example.fingerprint) = (.warning, "0123") }
      result.examples = [example, example]
    }
    var report = CheckReport()
    report.results = [result]
    (report.inputs, report.failOn, report.messages) = ([hostile], .warning, 9)
    (report.start, report.end) = (Instant(nanoseconds: 0), message.time)
    return report
  }

  private static let reports = Verdict.allCases.flatMap { verdict in
    [false, true].flatMap { code in
      [false, true].map { report(verdict, about: code, log: $0) }
    }
  }

  private func text(_ name: String, _ report: CheckReport) throws -> String {
    var text = TextBuffer(capacity: 1024)
    var around = CheckReports.Surroundings()
    around.version = "0.1.0"
    let form = try #require(CheckReports.all.first { $0.name == name })
    form.append(report, around, &text)
    return try #require(String(validating: text.bytes.copied(), as: Unicode.UTF8.self))
  }

  private func json<Value>(_ text: some StringProtocol, as type: Value.Type) throws -> Value {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? Value)
  }

  @Test("junit is well-formed, and counts what it has") func junit() throws {
    for report in Self.reports {
      let root = try #require(StrictXML.root(of: text("junit", report)))
      let cases = root.all("testcase")
      #expect(cases.count == 1)
      #expect(cases[0].attributes["name"]?.contains("é漢🎉") ?? false || report.isAboutCode)
      for suite in [root] + root.all("testsuite") {
        #expect(suite.attributes["tests"] == "1")
        #expect(suite.attributes["failures"] == "\(root.all("failure").count)")
        #expect(suite.attributes["errors"] == "\(root.all("error").count)")
      }
      let bad = root.all("failure") + root.all("error")
      #expect(bad.count == (report.results[0].verdict == .pass ? 0 : 1))
      for element in bad {
        #expect(element.attributes["type"] == report.results[0].type)
        #expect(element.text.contains("packet 12") || element.text.contains("line 12"))
      }
    }
  }

  @Test("sarif has a rule, a place and a fingerprint for each result") func sarif() throws {
    for report in Self.reports {
      let log = try json(text("sarif", report), as: [String: Any].self)
      #expect(log["version"] as? String == "2.1.0")
      let run = try #require((log["runs"] as? [[String: Any]])?.first)
      let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
      let rules = try #require(driver["rules"] as? [[String: Any]])
      let results = try #require(run["results"] as? [[String: Any]])
      #expect(results.isEmpty == (report.results[0].verdict == .pass))
      for result in results {
        let rule = rules[try #require(result["ruleIndex"] as? Int)]
        #expect(rule["id"] as? String == result["ruleId"] as? String)
        #expect(["note", "warning", "error"].contains(result["level"] as? String))
        let place = try #require((result["locations"] as? [[String: Any]])?.first)
        let physical = try #require(place["physicalLocation"] as? [String: Any])
        let uri = try #require(
          (physical["artifactLocation"] as? [String: Any])?["uri"] as? String)
        #expect(uri.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3A && $0 != 0x22 })
        #expect(uri.removingPercentEncoding == Self.hostile)
        let region = try #require(physical["region"] as? [String: Any])
        #expect((region["startLine"] as? Int ?? 0) > 0)
        let prints = try #require(result["partialFingerprints"] as? [String: String])
        #expect(prints["primaryLocationLineHash"]?.isEmpty == false)
      }
    }
  }

  @Test("gitlab's issues have what is required, and fingerprints of their own") func gitlab()
    throws
  {
    for report in Self.reports {
      let issues = try json(text("gitlab", report), as: [[String: Any]].self)
      #expect(issues.isEmpty == (report.results[0].verdict == .pass))
      #expect(Set(issues.compactMap { $0["fingerprint"] as? String }).count == issues.count)
      for issue in issues {
        #expect(issue["description"] is String)
        #expect(issue["check_name"] is String)
        #expect(["info", "minor", "major"].contains(issue["severity"] as? String))
        let location = try #require(issue["location"] as? [String: Any])
        #expect(location["path"] as? String == Self.hostile)
        #expect((location["lines"] as? [String: Int])?["begin"] ?? 0 > 0)
      }
    }
  }

  @Test("github's annotations are a line each, and nobody can add one") func github() throws {
    for report in Self.reports {
      for line in try text("github", report).split(separator: "\n") {
        let parts = line.split(separator: "::", maxSplits: 1)
        let head = parts[0].split(separator: " ", maxSplits: 1)
        #expect(["error", "warning", "notice"].contains(head[0]))
        let properties = head[1].split(separator: ",").map { $0.prefix { $0 != "=" } }
        #expect(properties == ["file", "line", "title"])
        #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
      }
    }
  }

  @Test("gcc's lines have a file, a line, a severity and a code") func gcc() throws {
    for report in Self.reports {
      let lines = try text("gcc", report).split(separator: "\n")
      #expect(lines.isEmpty == (report.results[0].verdict == .pass))
      for line in lines {
        #expect(line.contains(": error: ") || line.contains(": warning: "))
        #expect(line.hasSuffix("]"))
        #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
      }
    }
  }

  /// The parts of a text outside of pairs of a mark.
  private func every(other mark: String, of text: String) -> [String] {
    text.components(separatedBy: mark).enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
  }

  @Test("markdown keeps its table, and lets no tag in") func markdown() throws {
    for report in Self.reports {
      let text = try text("markdown", report)
      // In code nothing is a tag.
      let unfenced = every(other: "```", of: text).joined()
      #expect(!every(other: "`", of: unfenced).contains { $0.contains("<a b") }, "\(unfenced)")
      let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
      #expect(rows.count == 2)
      for row in rows {
        #expect(row.replacing("\\|", with: "").count { $0 == "|" } == 4, "\(row)")
      }
      #expect(!text.unicodeScalars.contains("\u{1B}") && !text.unicodeScalars.contains("\u{0}"))
    }
  }

  @Test("ndjson is one object a line, the summary last") func ndjson() throws {
    for report in Self.reports {
      let lines = try text("ndjson", report).split(separator: "\n").map {
        try json($0, as: [String: Any].self)
      }
      #expect(lines.map { $0["event"] as? String } == ["verdict", "summary"])
      #expect(lines[0]["verdict"] as? String == report.results[0].verdict.rawValue)
      let verdicts = try #require(lines[1]["verdicts"] as? [String: Int])
      #expect(verdicts.values.reduce(0, +) == 1)
    }
  }
}

extension CheckReport {
  fileprivate var isAboutCode: Bool {
    if case .finding = results[0].subject { true } else { false }
  }
}
