// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInspector
import TapRender
import TapTraffic

/// Examples are decoded as anything that is pasted, so what is shown for them is always true.
enum Example {
  static func lines(_ pasted: [String]) -> [String] {
    let limits = Limits()
    let inspector = Inspector(LineRenderer(LineRenderer.Options()), Inspector.Options())
    let engine = Engine(inspector, limits: limits)
    for message in pasted {
      let bytes = ContiguousArray(message.utf8)
      engine.message(bytes.span.bytes, Delivery(Origin(), .text))
    }
    engine.finish()
    var text = ""
    inspector.withText { text = String(decoding: $0.bytes.copied(), as: Unicode.UTF8.self) }
    return text.split(separator: "\n").map(String.init)
  }
}
