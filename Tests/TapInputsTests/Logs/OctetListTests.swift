// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEvidence
import TapTesting
import TapTraffic
import Testing

/// Texts that are printed as the numbers of their bytes.
@Suite struct OctetListTests {
  private func reported(_ line: String) -> [String] {
    let sink = CallFloor()
    var input = TestLog.input(line + "\n") { CallTexts() }
    input.receive(Array((line + "\n").utf8).span.bytes, sink)
    input.finish(sink)
    return sink.reported
  }

  @Test(arguments: [
    ("sent [48,1,{}]", ", ", ["[48,1,{}]"]),
    ("[48,1,{\"a\":\"é\"}]", ",", ["[48,1,{\"a\":\"é\"}]"]),
    ("\u{1B}[32mrecv [50,1,{}]\u{1B}[0m\n", ",", ["[50,1,{}]"]),
    ("[48,1,{}] and [50,1,{}]", ", ", ["[48,1,{}]", "[50,1,{}]"]),
    ("no list at all", ", ", []), ("[1,2,", ", ", []), ("sent [48,1,{}]\u{1}", ",", []),
  ])
  func read(text: String, separator: String, expected: [String]) {
    let list = "[" + text.utf8.map(String.init).joined(separator: separator) + "]"
    for line in [#"{"MESSAGE":\#(list),"_PID":"7"}"#, "Frame { payload: \(list) }"] {
      #expect(reported(line) == expected, "\(line)")
    }
  }

  @Test(
    "numbers that are no octets, or too few",
    arguments: [
      "ids: [18, 20, 58037]", "x [91, 52, 56, 44, 49, 44, 123, 256]", "x [91,52,56,44,49,93]",
      "x [91,52,56,44,49,44,123,125,93,]", "x [91,52,56,44,49,44,123,125,93",
    ])
  func pass(line: String) { #expect(reported(line).isEmpty) }

  @Test(
    "in hexadecimal between brackets, and in lists of a typed array",
    arguments: [
      ("<Buffer 5b 34 38 2c 31 2c 7b 7d 5d>", ["[48,1,{}]"]),
      ("{ data: <5b34382c 312c7b7d 5d> }", ["[48,1,{}]"]),
      ("<Buffer 5b 34 38 2c 31 2c 7b 7d 2c 22 c3 ... 7 more bytes>", ["[48,1,{},\"…\"]"]),
      (#"{"type":"Buffer","data":[91,52,56,44,49,44,123,125,93]}"#, ["[48,1,{}]"]),
      (
        "Uint8Array(200) [\n 91, 52, 56, 44, 49, 44, 123, 125, 44, ... 191 more items\n]",
        ["[48,1,{},\"…\"]"]
      ),
      ("<Buffer 5b 34 38 2c 31 2c 7b 7d 5d", []), ("<Buffer 5b 34 38 2c 31 2c 7b 7d 5>", []),
      ("<Buffer >", []), ("<b>[48]</b>", []), ("<Buffer 5b 34 00 2c 31 2c 7b 7d 5d>", []),
    ])
  func brackets(line: String, expected: [String]) {
    for line in ["received \(line)", "\(line) and more"] { #expect(reported(line) == expected) }
  }
}

/// CALL and RESULT are messages, and nothing else.
private final class CallFloor: EvidenceSink {
  private(set) var reported: [String] = []

  func packet(_: RawSpan, _: Packet) {}
  func finding(_: Finding) {}

  func message(_ bytes: RawSpan, _: Delivery) {
    reported.append(String(decoding: bytes.copied(), as: Unicode.UTF8.self))
  }
}

/// CALL and RESULT are messages, and nothing else.
private final class CallTexts: TextRecogniser {
  func recognise(_ bytes: RawSpan, _: Delivery.Kind) -> Recognition {
    let isMessage = bytes.starts(with: "[48,1,{") || bytes.starts(with: "[50,1,{")
    return isMessage ? Recognition(.likely) : .none
  }
}
