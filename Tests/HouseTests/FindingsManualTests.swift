// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapInputs
import TapInspector
import TapTraffic
import Testing

/// Every code has an explanation, and wamptap-findings(7) says the same.
/// `UPDATE_MAN=1` rewrites the list in the page.
@Suite("Manual of the findings") struct FindingsManualTests {
  private static let path = "man/wamptap-findings.7"
  private let explanations = Guide(inputs: InputFindings.all).findings

  @Test("every code has one explanation, and every explanation a code") func codes() {
    var declared: [String: String] = [:]
    for file in Project.sources {
      let code = /static let \w+: (?:Self|(?:Finding\.)?Code) = "([^"]*)"/
      for match in file.text.matches(of: code) { declared[String(match.1)] = file.path }
    }
    #expect(declared.count > 50, "the declarations were not found")
    let explained = explanations.map(\.code.name)
    let without = Set(declared.keys).subtracting(explained).sorted().map {
      "\($0) of \(declared[$0]!) has no Explanation in a list that Guide.swift gathers"
    }
    #expect(without == [])
    #expect(Set(explained).subtracting(declared.keys).sorted() == [], "codes that do not exist")
    #expect(explained.count == Set(explained).count, "explained twice")
  }

  @Test("explanations say what is the case, why, and what to do") func texts() {
    for explanation in explanations {
      let code = explanation.code.name
      for text in [explanation.text, explanation.cause, explanation.remedy] {
        #expect(text.hasSuffix(".") && text.first?.isUppercase == true, "\(code): \(text)")
        #expect(!text.contains("  ") && !text.contains("\n"), "\(code): \(text)")
      }
      #expect(!explanation.source.hasSuffix("."), "\(code): \(explanation.source)")
      #expect(Set(explanation.severities).count == explanation.severities.count, "\(code)")
      #expect(
        explanation.isSecurity == false || explanation.severities == [.warning],
        "\(code): security findings are warnings")
    }
  }

  @Test("the page lists them") func page() throws {
    let text = try Project.text(Self.path)
    let start = try #require(text.range(of: "written by: make manual\n"))
    let end = try #require(text.range(of: ".Sh SEE ALSO\n"))
    let list = FindingsPage.list(of: explanations)
    if ProcessInfo.processInfo.environment["UPDATE_MAN"] == "1" {
      let page = text[..<start.upperBound] + list + text[end.lowerBound...]
      try String(page).write(
        to: Project.root.appending(path: Self.path), atomically: true, encoding: .utf8)
      return
    }
    let written = text[start.upperBound..<end.lowerBound].split(separator: "\n")
    let wanted = list.split(separator: "\n")
    let place = zip(written, wanted).enumerated().first { $1.0 != $1.1 }?.offset
    #expect(place == nil && written.count == wanted.count, "run: make manual")
    if let place { #expect(written[place] == wanted[place]) }
  }
}
