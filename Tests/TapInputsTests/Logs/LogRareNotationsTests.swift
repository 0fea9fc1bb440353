// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEvidence
import TapTesting
import TapTraffic
import Testing

/// Messages and ends of connections on lines that have no list.
@Suite struct LogSeldomTests {
  /// What comes behind a message of the same lines.
  private func reported(_ line: String, _ mark: String) -> (reported: [String], words: String) {
    let sink = SeldomFloor()
    let text = "\(mark)[36,1]\n\(line)\n"
    TestLog.read(text, onto: sink) { SeldomTexts() }
    return (Array(sink.reported.dropFirst()), sink.words)
  }

  @Test(
    "octets and ends of connections are read",
    arguments: [
      ("MESSAGE: 93210105", "MESSAGE: ", "message 93210105"),
      ("MESSAGE: [hex=93210105]", "MESSAGE: ", "message 93210105"),
      ("CLOSE: 1000 Goodbye", "MESSAGE: ", "control 8 03e8476f6f64627965"),
    ])
  func read(line: String, mark: String, expected: String) {
    #expect(reported(line, mark).reported == [expected])
  }

  @Test(
    "what is no message is none",
    arguments: [
      ("MESSAGE: deadbee", "MESSAGE: "), ("MESSAGE: Hello", "MESSAGE: "),
      ("CLOSE: 12 files", "MESSAGE: "), ("CLOSE: 1000ms", "MESSAGE: "),
      (#"{"opcode":1,"dir":"in","data":"kyEBBQ=="}"#, "recv "),
      (#"{"opcode":2,"data":"kyEBBQ=="}"#, "recv "), ("abc[3000,\"x\"]", "recv "),
      ("some Array(3)", "recv "),
    ])
  func pass(line: String, mark: String) {
    #expect(reported(line, mark).reported == [])
    #expect(!reported(line, mark).words.contains("nothing can be read"))
  }

  @Test("what has a mark and cannot be read is counted")
  func counted() {
    #expect(
      reported("RX Array(3)", "recv ").words.contains("1 line with a message of which nothing"))
  }
}

/// A sink that knows one message of bytes.
private final class SeldomFloor: EvidenceSink {
  private(set) var reported: [String] = []
  private(set) var words = ""

  func packet(_: RawSpan, _: Packet) {}
  func finding(_: Finding) {}

  func recognised(_ verdict: InputVerdict, _: Origin) {
    words = verdict.words(counted: verdict.messages)
  }

  func message(_ bytes: RawSpan, _: Delivery) { reported.append("message \(hex(bytes))") }

  func control(_ opcode: Opcode, _ payload: RawSpan, _: Delivery) {
    reported.append("control \(opcode.rawValue) \(hex(payload))")
  }

  private func hex(_ bytes: RawSpan) -> String {
    bytes.copied().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// Knows one message of bytes.
private final class SeldomTexts: TextRecogniser {
  func recognise(_ bytes: RawSpan, _ kind: Delivery.Kind) -> Recognition {
    if kind == .binary { return bytes.copied() == [0x93, 33, 1, 5] ? Recognition(.likely) : .none }
    return bytes.starts(with: "[36,") ? Recognition(.likely) : .none
  }
}
