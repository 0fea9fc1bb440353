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
    text.append("{\"id\":")
    text.append(jsonString: id(result))
    for (key, value) in [("shortDescription", what), ("fullDescription", cause), ("help", remedy)] {
      text.append(",\"\(key)\":{\"text\":")
      text.append(jsonString: String(value.prefix(1000)))
      text.append("}")
    }
    text.append(",\"defaultConfiguration\":{\"level\":\"\(level(result.severity))\"}")
    text.append(",\"properties\":{\"precision\":\"high\",\"problem.severity\":\"")
    text.append(result.severity == .note ? "recommendation" : result.severity.name.description)
    text.append("\"")
    if explanation?.isSecurity == true {
      let score = result.severity == .error ? "7.5" : "5.0"
      text.append(",\"tags\":[\"security\"],\"security-severity\":\"\(score)\"")
    } else {
      text.append(",\"tags\":[\"protocol\"]")
    }
    text.append("}}")
  }

  private static func append(
    _ result: CheckResult, _ example: CheckResult.Example?, rule: Int, _ report: CheckReport,
    _ text: inout TextBuffer
  ) {
    text.append("{\"ruleId\":")
    text.append(jsonString: id(result))
    text.append(",\"ruleIndex\":\(rule),\"level\":\"")
    text.append(level(example?.severity ?? result.severity))
    text.append("\",\"message\":{\"text\":")
    text.append(jsonString: example?.text ?? "\(result.verdict.rawValue): \(result.reason)")
    text.append("},\"locations\":[")
    let message = example?.message ?? result.examples.first?.message
    if let place = result.place, !place.file.isEmpty {
      location(place.file, line: place.line, message, report, &text)
    } else {
      let isLine = message?.isLine == true
      location(
        message.map { report.file($0.input) } ?? report.inputs.first ?? "wamptap",
        line: isLine ? Int(clamping: message?.record ?? 1) : 1, message, report, &text)
    }
    text.append("]")
    let related = example == nil ? result.examples : []
    if !related.isEmpty {
      text.append(",\"relatedLocations\":[")
      for (number, one) in related.enumerated() {
        if number > 0 { text.append(",") }
        location(
          report.file(one.message.input),
          line: one.message.isLine ? Int(clamping: one.message.record) : 1, one.message, report,
          saying: "\(report.line(one.message, about: one.about)): \(one.text)", &text)
      }
      text.append("]")
    }
    let fingerprint = example.map(\.fingerprint) ?? result.fingerprint
    text.append(",\"partialFingerprints\":{\"primaryLocationLineHash\":\"")
    text.append(fingerprint.isEmpty ? result.fingerprint : fingerprint)
    text.append("\"}")
    if let suppression = result.suppression {
      text.append(",\"suppressions\":[{\"kind\":\"external\",\"justification\":")
      text.append(jsonString: suppression)
      text.append("}]")
    }
    text.append("}")
  }

  private static func location(
    _ file: String, line: Int, _ message: MessageReference?, _ report: CheckReport,
    saying words: String? = nil, _ text: inout TextBuffer
  ) {
    let line = max(line, 1)
    text.append("{\"physicalLocation\":{\"artifactLocation\":{\"uri\":")
    text.append(jsonString: URIText.of(file))
    text.append("},\"region\":{\"startLine\":\(line),\"startColumn\":1,\"endLine\":\(line),")
    text.append("\"endColumn\":2}}")
    if let message {
      let place =
        message.record > 0 ? "/\(message.isLine ? "line" : "packet") \(message.record)" : ""
      text.append(",\"logicalLocations\":[{\"fullyQualifiedName\":")
      text.append(jsonString: "#\(message.connection)\(place)")
      text.append("}]")
    }
    if let words {
      text.append(",\"message\":{\"text\":")
      text.append(jsonString: words)
      text.append("}")
    }
    text.append("}")
  }

  private static func level(_ severity: Finding.Severity) -> String {
    severity.name.description
  }
}
