// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapTraffic
import Testing

/// What recognisers make of texts that are no message of anything.
@Suite("Recognisers") struct RecogniserTests {
  /// A message may be empty (RFC 6455 §5.6), and one byte long.
  @Test(
    "no dialect has a message that is empty", arguments: ["", " ", "4", "[", "{", "b", "a", "\n"])
  func short(text: String) {
    let opening = Opening(.webSocket, client: .unknown, server: .unknown, isFromStart: true)
    let sources: [Recognition.Context] = [
      .text, .paste(isSpoken: false), .paste(isSpoken: true),
      .conversation(opening, isFirst: true), .conversation(opening, isFirst: false),
    ]
    for dialect in Dialects.all {
      var recogniser = dialect.recogniser(limits: Limits())
      for source in sources {
        for kind in [Delivery.Kind.text, .binary, .stream, .partialText, .abridged] {
          let bytes = Array(text.utf8)
          let found = recogniser.recognise(bytes.span.bytes, kind, in: source)
          if text.isEmpty { #expect(found.grade == .none, "\(dialect.name), \(source)") }
        }
      }
      let bytes = Array(text.utf8)
      #expect(!recogniser.refusal(of: bytes.span.bytes).isEmpty)
    }
  }
}
