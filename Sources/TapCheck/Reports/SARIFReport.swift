// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// SARIF 2.1.0 with what GitHub's code scanning requires: every rule explained, every result with a
/// place and a fingerprint.
enum SARIFReport {
  /// GitHub accepts 25,000 results per run.
  private static let mostResults = 25_000
  private static let schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

  @Sendable static func append(
    _ report: CheckReport, _ around: CheckReports.Surroundings, to text: inout TextBuffer
  ) {
    let wrong = report.results.filter { $0.isWrong || $0.suppression != nil }
    text.append("{\"$schema\":\"\(schema)\",\"version\":\"2.1.0\",\"runs\":[{")
    text.append("\"tool\":{\"driver\":{\"name\":\"wamptap\",\"semanticVersion\":")
    text.append(jsonString: around.version)
    text.append(",\"rules\":[")
    for (number, result) in wrong.enumerated() {
      text.append(number > 0 ? ",\n" : "\n")
      rule(result, around, &text)
    }
    text.append("\n]}},\"automationDetails\":{\"id\":\"wamptap/\"},")
    text.append("\"columnKind\":\"unicodeCodePoints\",\"results\":[")
    var count = 0
    for (number, result) in wrong.enumerated() {
      let examples: [CheckResult.Example?] =
        result.examples.isEmpty || result.place != nil ? [nil] : result.examples
      for example in examples where count < mostResults {
        text.append(count > 0 ? ",\n" : "\n")
        count += 1
        append(result, example, rule: number, report, &text)
      }
    }
    text.append("\n]}]}\n")
  }

  private static func id(_ result: CheckResult) -> String {
    switch result.subject {
    case .finding(let code, _): code.name
    case .expectation, .evidence: "expectation/\(result.name)"
    }
  }

  private static func rule(
    _ result: CheckResult, _ around: CheckReports.Surroundings, _ text: inout TextBuffer
  ) {
    let explanation = around.explanations[result.name]
    let what = explanation?.text ?? "\(result.name): an expectation of the traffic."
    let cause = explanation.map { "\($0.text) \($0.cause)" } ?? "What is expected was not found."
    let remedy = explanation?.remedy ?? "Look at the messages that break it: wamptap show -Y …"
    let severity = result.severity
    text.append("{")
    text.member("id", id(result))
    text.object("shortDescription") { $0.member("text", String(what.prefix(1000))) }
    text.object("fullDescription") { $0.member("text", String(cause.prefix(1000))) }
    text.object("help") { $0.member("text", String(remedy.prefix(1000))) }
    text.object("defaultConfiguration") { $0.member("level", word: severity.name) }
    text.object("properties") { text in
      text.member("precision", word: "high")
      text.member("problem.severity", word: severity == .note ? "recommendation" : severity.name)
      if explanation?.isSecurity == true {
        text.append(#","tags":["security"]"#)
        text.member("security-severity", word: severity == .error ? "7.5" : "5.0")
      } else {
        text.append(#","tags":["protocol"]"#)
      }
    }
    text.append("}")
  }

  private static func append(
    _ result: CheckResult, _ example: CheckResult.Example?, rule: Int, _ report: CheckReport,
    _ text: inout TextBuffer
  ) {
    text.append("{")
    text.member("ruleId", id(result))
    text.member("ruleIndex", rule)
    text.member("level", word: (example?.severity ?? result.severity).name)
    text.object("message") {
      $0.member("text", example?.text ?? "\(result.verdict.rawValue): \(result.reason)")
    }
    text.append(#","locations":["#)
    let message = example?.message ?? result.examples.first?.message
    if let place = result.place, !place.file.isEmpty {
      location(place.file, line: place.line, message, &text)
    } else {
      let isLine = message?.isLine == true
      location(
        message.map { report.file($0.input) } ?? report.inputs.first ?? "wamptap",
        line: isLine ? Int(clamping: message?.record ?? 1) : 1, message, &text)
    }
    text.append("]")
    let related = example == nil ? result.examples : []
    if !related.isEmpty {
      text.list("relatedLocations", of: related) { one, text in
        location(
          report.file(one.message.input),
          line: one.message.isLine ? Int(clamping: one.message.record) : 1, one.message,
          saying: "\(report.line(one.message, about: one.about)): \(one.text)", &text)
      }
    }
    let fingerprint = example.map(\.fingerprint) ?? result.fingerprint
    text.object("partialFingerprints") {
      $0.member(
        "primaryLocationLineHash", fingerprint.isEmpty ? result.fingerprint : fingerprint)
    }
    if let suppression = result.suppression {
      text.append(#","suppressions":[{"kind":"external""#)
      text.member("justification", suppression)
      text.append("}]")
    }
    text.append("}")
  }

  private static func location(
    _ file: String, line: Int, _ message: MessageReference?, saying words: String? = nil,
    _ text: inout TextBuffer
  ) {
    let line = max(line, 1)
    text.append("{")
    text.object("physicalLocation") {
      $0.object("artifactLocation") { $0.member("uri", URIText.of(file)) }
      $0.object("region") {
        $0.member("startLine", line)
        $0.member("startColumn", 1 as Int)
        $0.member("endLine", line)
        $0.member("endColumn", 2 as Int)
      }
    }
    if let message {
      let place =
        message.record > 0 ? "/\(message.isLine ? "line" : "packet") \(message.record)" : ""
      text.append(#","logicalLocations":[{"#)
      text.member("fullyQualifiedName", "#\(message.connection)\(place)")
      text.append("}]")
    }
    if let words { text.object("message") { $0.member("text", words) } }
    text.append("}")
  }
}
