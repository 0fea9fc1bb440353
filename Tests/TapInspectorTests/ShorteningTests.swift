// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapBytes
import TapInspector
import TapLogs
import TapRender
import TapTesting
import TapTraffic
import Testing

/// What is shown by its beginning stays JSON.
@Suite("Shortened values") struct ShorteningTests {
  private func challenge(_ content: String) throws -> String? {
    let inspector = Inspector(NDJSONRenderer(inputs: ["pasted"]), Inspector.Options())
    let engine = Engine(inspector, limits: Limits())
    var input = PasteInput(input: 0, limits: Limits())
    let text = Array(#"[4,"cryptosign",{"challenge":"\#(content)"}]"#.utf8)
    input.receive(text.span.bytes, engine)
    input.finish(engine)
    var output: [UInt8] = []
    inspector.withText { output = $0.bytes.copied() }
    let object = try JSONSerialization.jsonObject(with: Data(output)) as? [String: Any]
    let body = try #require(object?["body"] as? [Any])
    return (body[2] as? [String: String])?["challenge"]
  }

  @Test(
    "are cut between characters",
    arguments: [
      ("0123456789abcdef", "01234567…"), ("01234567", "01234567"), ("0123456é", "0123456…"),
      (#"0123456\\89"#, "0123456…"), (#"\u1234\u5678"#, "\u{1234}…"),
      (#"\ud83d\ude00"#, "…"), ("", ""), ("éééé", "éééé"), ("ééé漢", "ééé…"),
    ])
  func cuts(_ content: String, _ shown: String) throws {
    #expect(try challenge(content) == shown)
  }
}
