// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapEvidence
import TapInputs
import TapInspector
import TapRender
import TapTraffic

/// Examples are decoded as anything that is pasted, so what is shown for them is always true.
enum Example {
  static func lines(_ pasted: [String], dialect: String) -> [String] {
    let limits = Limits()
    let inspector = Inspector(LineRenderer(LineRenderer.Options()), Inspector.Options())
    let engine = Engine(
      inspector, limits: limits, dialect: dialect.isEmpty ? nil : dialect)
    var choice = InputChoice()
    choice.isPasted = true
    choice.recogniser = { DialectTextRecogniser(limits: limits) }
    for message in pasted {
      let bytes = ContiguousArray(message.utf8)
      if message.hasPrefix("[") || message.hasPrefix("{") {
        engine.message(bytes.span.bytes, Delivery(Origin(), .text))
        continue
      }
      let outcome = Inputs.recognise(
        bytes.span.bytes, isAll: true, input: 0, limits: limits, choice: choice)
      guard case .input(var input) = outcome else { continue }
      input.receive(bytes.span.bytes, engine)
      input.finish(engine)
    }
    engine.finish()
    var text = ""
    inspector.withText { text = String(decoding: $0.bytes.copied(), as: Unicode.UTF8.self) }
    return text.split(separator: "\n").map(String.init)
  }
}
