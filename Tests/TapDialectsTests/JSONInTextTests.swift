// SPDX-License-Identifier: Apache-2.0
import TapBytes
import Testing

@testable import TapDialects

/// Credentials of messages that nobody took for some, in the text around others.
@Suite struct JSONInTextTests {
  private static let message = #"{"id":2,"method":"mining.authorize","params":["u","SECRET"]}"#

  @Test(arguments: [
    ("MESSAGE", 1), ("see MESSAGE and MESSAGE", 2), ("[MESSAGE,MESSAGE]", 2), ("{x} MESSAGE", 1),
    (#"{"level":"info","data":MESSAGE}"#, 1), (#"{"a":{"b":[MESSAGE,{"c":MESSAGE}]}}"#, 2),
    (String(repeating: "{", count: 100) + "MESSAGE", 1), (#"{"level":"info","data":{}}"#, 0),
    ("no {", 0),
  ])
  func secrets(form: String, count: Int) {
    let text = Array(form.replacing("MESSAGE", with: Self.message).utf8)
    let found = JSONInText.secrets(in: text.span.bytes)
    #expect(
      found.map { String(decoding: text[$0], as: Unicode.UTF8.self) }
        == Array(repeating: "SECRET", count: count))
  }
}
