// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInspector
import TapLogs
import TapRender
import TapTesting
import TapTraffic
import Testing

/// What stands below a line is made of what may be shown.
@Suite("Details") struct DetailTests {
  private func shown(
    _ messages: [String], showsSecrets: Bool = false,
    _ set: (inout LineRenderer.Options) -> Void = { ($0.showsTree, $0.showsOctets) = (true, true) }
  ) -> String {
    var line = LineRenderer.Options()
    set(&line)
    var options = Inspector.Options()
    options.showsSecrets = showsSecrets
    let inspector = Inspector(TreeRenderer(line), options)
    let engine = Engine(inspector, limits: Limits())
    var input = PasteInput(input: 0, limits: Limits())
    input.receive(Array(messages.joined(separator: "\n").utf8).span.bytes, engine)
    input.finish(engine)
    var output: [UInt8] = []
    inspector.withText { output = $0.bytes.copied() }
    return String(decoding: output, as: Unicode.UTF8.self)
  }

  private static let credentials = [
    #"[1,"r",{"authextra":{"token":"Hunter2Hunter2"},"roles":{"caller":{}}}]"#,
    #"[5,"Hunter2Hunter2",{}]"#, #"[5,"a",{"cbind_data":"Hunter2Hunter2"}]"#,
    #"[2,9,{"roles":{},"resume_token":"Hunter2Hunter2"}]"#,
    #"[4,"wampcra",{"salt":"Hunter2Hunter2","challenge":"c"}]"#,
  ]

  @Test(arguments: credentials) func credentialsAreNowhere(_ message: String) {
    let masked = shown([message])
    #expect(masked.contains("<secret-"))
    #expect(masked.contains("bytes with tokens in place of credentials:"))
    #expect(!masked.contains("Hunter"))
    #expect(!masked.contains("48 75 6e"), "in hexadecimal")
    // Beside it, so that the test could fail.
    let open = shown([message], showsSecrets: true)
    #expect(open.contains("Hunter2Hunter2") && !open.contains("bytes with tokens"))
  }

  @Test func answersAndSubjects() {
    let text = shown([#"[32,1,{},"com.topic"]"#, "[33,1,58]"]) { $0.showsTree = true }
    #expect(
      text.hasSuffix(
        """
            [0] SUBSCRIBED         33  the broker grants the subscription
            [1] SUBSCRIBE.Request  1   answers message 1
            [2] Subscription       58  com.topic · stands for the topic in every EVENT

        """))
  }

  @Test func nothingBelowWhereNothingWasAsked() {
    #expect(shown(["[33,1,58]"]) { _ in } == "SUBSCRIBED  request 1 · subscription 58\n")
  }
}
