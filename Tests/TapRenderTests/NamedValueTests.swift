// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapRender
import TapTraffic
import Testing

/// What values are called, in every output, and never for the message behind.
@Suite("Names of values") struct NamingTests {
  private static let event = #"[50,2,{},[{"type":100}]]"#

  private func naming(_ field: String, _ name: String) -> NamedValue {
    NamedValue(ContiguousArray(field.utf8), ContiguousArray(name.utf8), ByteRange(18, 21))
  }

  private func result(_ page: inout Page) -> String {
    page.message(Self.event, "RESULT", [Link(.answers, "request", 2, space: 0)]) {
      $0.subject = "com.a"
      $0.payload = [#"[{"type":100}]"#]
      $0.time = 0
      $0.latency = 3_120_000
    }
  }

  @Test(
    "stand before the payload, and the latency in its column",
    arguments: [
      (["chatListUpdate"], "chatListUpdate"), (["žluť"], "žluť"), (["a", "b"], "a, b"),
      (["a\u{1B}[31m"], #"a\x1b[31m"#),
    ])
  func line(_ names: [String], _ shown: String) {
    for width in [nil, 200] {
      var options = LineRenderer.Options()
      options.width = width
      var page = Page(LineRenderer(options))
      page.renderer.named(ContiguousArray(names.map { naming("type", $0) }))
      let begin = "  0.000000  #1 →  RESULT      request 2 · com.a · "
      let line = begin + shown + #" · [{"type":100}]"#
      #expect(
        result(&page)
          == line + String(repeating: " ", count: 106 - line.count - 7) + "3.12 ms\n")
      #expect(result(&page).hasPrefix(begin + "[{"))
    }
  }

  @Test("are an object of the machine output") func ndjson() {
    var page = Page(NDJSONRenderer(inputs: ["x"]))
    page.renderer.named([naming("type", "a\"b"), naming("kwargs.é", "c")])
    #expect(
      result(&page).contains(
        #","subject":"com.a","names":{"type":"a\"b","kwargs.é":"c"},"latency""#))
    #expect(!result(&page).contains("names"))
  }
}
