// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInspector
import TapNames
import TapRender
import TapTraffic
import Testing

/// Where the rules of a names file act, and where they must not.
@Suite("Names in the inspector") struct NamesTests {
  private func line(
    _ dialect: StaticString, _ text: String, showsSecrets: Bool = false
  ) throws -> String {
    var options = Inspector.Options()
    options.showsSecrets = showsSecrets
    options.names.rules = [try NameRule([.any], FieldPath("a"), [("1", "one"), ("2", "two")])]
    options.names.masks = [MaskRule([try SubjectPattern("x")], [try FieldPath("a")])]
    let inspector = Inspector(LineRenderer(LineRenderer.Options()), options)
    let bytes = Array(text.utf8)
    var message = Message(dialect, "NAME", Origin())
    message.traits = .isText
    message.payload = ByteRange(0, bytes.count)
    let notes = ContiguousArray<Note>()
    inspector.message(message, bytes.span.bytes, notes.span)
    var line = ""
    inspector.withText { line = String(decoding: $0.bytes.copied(), as: Unicode.UTF8.self) }
    return line
  }

  @Test(
    "text that no dialect has read is left alone",
    arguments: [
      #"[{""#, #"[{"a""#, #"[{"a":"#, "[", "[[", #"[{"a":1}]"#, #"[""#, #"[{"a":1,"#,
    ])
  func unread(_ text: String) throws {
    for dialect in ["websocket", "rawsocket"] as [StaticString] {
      #expect(try line(dialect, text) == "NAME        \(text)\n")
    }
  }

  @Test("what is masked has no name, unless secrets are shown") func masked() throws {
    #expect(try line("wamp", #"[{"a":1}]"#) == #"NAME        [{"a":"<secret-1>"}]"# + "\n")
    #expect(
      try line("wamp", #"[{"a":2}]"#, showsSecrets: true)
        == #"NAME        two · [{"a":2}]"# + "\n")
  }
}
