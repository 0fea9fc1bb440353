// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInputs
import TapTesting
import TapTraffic
import Testing

/// Texts that are printed as the numbers of their octets.
@Suite struct OctetListTests {
  private func told(_ line: String) -> [String] {
    let floor = CallFloor()
    var input = LogLine.input(line + "\n")
    input.receive(Array((line + "\n").utf8).span.bytes, floor)
    input.finish(floor)
    return floor.told
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
      #expect(told(line) == expected, "\(line)")
    }
  }

  @Test(
    "numbers that are no octets, or too few",
    arguments: [
      "ids: [18, 20, 58037]", "x [91, 52, 56, 44, 49, 44, 123, 256]", "x [91,52,56,44,49,93]",
      "x [91,52,56,44,49,44,123,125,93,]", "x [91,52,56,44,49,44,123,125,93",
    ])
  func pass(line: String) { #expect(told(line).isEmpty) }
}

/// CALL and RESULT are messages, and nothing else.
private final class CallFloor: Floor {
  private(set) var told: [String] = []

  func packet(_: RawSpan, _: Packet) {}
  func finding(_: Finding) {}

  func message(_ bytes: RawSpan, _: Delivery) {
    told.append(String(decoding: bytes.copied(), as: Unicode.UTF8.self))
  }

  func likeness(of bytes: RawSpan, _: Delivery.Kind) -> Likeness {
    let isMessage = bytes.starts(with: "[48,1,{") || bytes.starts(with: "[50,1,{")
    return isMessage ? Likeness(.likely) : .none
  }
}
