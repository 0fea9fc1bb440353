// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapInputs
import TapInspector
import TapTesting
import TapTraffic
import Testing

@testable import wamptap

/// Examples of `wamptap explain`: whoever copies the command gets what is printed below it.
@Suite("Examples") struct ExampleTests {
  @Test("can be pasted as they stand")
  func pasted() throws {
    var script = ""
    var expected = ""
    for part in Guide(inputs: InputFindings.all).topics.flatMap(\.parts) {
      guard case .example(let pasted, let dialect) = part.body else { continue }
      var (lines, option) = (Example.lines(pasted, dialect: ""), "")
      if lines.isEmpty && !dialect.isEmpty {
        (lines, option) = (Example.lines(pasted, dialect: dialect), "--dialect \(dialect) ")
      }
      #expect(!lines.isEmpty, "\(pasted)")
      let words = pasted.map { "'" + $0.replacing("'", with: "'\\''") + "'" }
      let command = option + words.joined(separator: " ")
      // A finding has the name of its input only where there are several.
      script += "echo; \"$wamptap\" \(command) | sed 's/ argument: / /'\n"
      expected += "\n" + lines.map { $0 + "\n" }.joined()
    }
    let outcome = try Program.shell(script, in: FileManager.default.temporaryDirectory)
    let (shown, wanted) = (
      outcome.output.split(separator: "\n"), expected.split(separator: "\n")
    )
    for (shown, wanted) in zip(shown, wanted) where shown != wanted {
      Issue.record("\(shown)\n is not\n\(wanted)")
    }
    #expect(shown.count == wanted.count)
    #expect(outcome.complaints == "")
  }
}
