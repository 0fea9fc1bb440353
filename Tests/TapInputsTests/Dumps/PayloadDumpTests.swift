// SPDX-License-Identifier: Apache-2.0
import TapEvidence
import TapTesting
import TapTraffic
import Testing

@testable import TapInputs

/// What ngrep and tcpflow print of payloads, and streams that were saved.
@Suite("Dumps of payloads")
struct PayloadDumpTests {
  private static let opening = "GET /ws HTTP/1.1.\nUpgrade: websocket.\n.\n\n"

  @Test(
    "a line above a payload says which program printed it",
    arguments: [
      ("T 10.0.0.1:5000 -> 10.0.0.22:8080 [AP] #4\n", "ngrep"),
      ("T 10.0.0.1:5000 -> 10.0.0.22:8080 [AP]\n", "ngrep"),
      ("T 2026/11/25 05:07:03.123456 fd77::1:5000 -> fd77::2:8080 [AP] #4\n", "ngrep"),
      ("interface: lo\nmatch: [33,\n####\nT +0.000123 10.0.0.1:1 -> 10.0.0.2:2 [A] x\n", "ngrep"),
      ("010.000.000.001.05000-010.000.000.022.08080: x\n", "tcpflow"),
      ("fd77::1.05000-fd77::2.08080: x\n", "tcpflow"),
      ("\u{1B}[0;34m127.000.000.001.43764-127.000.000.001.18112: x\u{1B}[0m\n", "tcpflow"),
      ("T 10.0.0.1:5000 -> somewhere [AP] #4\n", "log"),
      ("T 10.0.0.1:5000 -> 10.0.0.22:8080\n", "log"),
      ("T 2026-11-25 10.0.0.1:5000 -> 10.0.0.22:8080 [AP]\n", "log"),
      ("sent [33,1,5862354]\nT 10.0.0.1:5000 -> 10.0.0.22:8080 [AP] #4\n", "log"),
      ("10.0.0.1-10.0.0.2: x\n", "log"), ("2026-12-01: [33,1,5862354]\n", "log"),
    ])
  func heads(_ text: String, _ kind: String) {
    #expect(read(text: [Array(text.utf8)]).kind == kind)
  }

  @Test("text is read as far as it is certain, however the file is cut")
  func text() {
    let file = """
      T 10.0.0.1:5000 -> 10.0.0.2:80 [AP] #1
      \(Self.opening)
      T 10.0.0.2:80 -> 10.0.0.1:5000 [AP] #2
      HTTP/1.1 101 Switching Protocols.
      .


      T 10.0.0.2:80 -> 10.0.0.1:5000 [AP] #3
      ..[36,1,2,{},["..."]]
      ##exit

      """
    let (sink, _) = read(text: [Array(file.utf8)])
    let messages = sink.messages.map { String(decoding: $0.bytes, as: UTF8.self) }
    #expect(messages == [#"[36,1,2,{},["···"]]"#])
    #expect(difference(forEveryCutOf: Array(file.utf8)) { read(text: $0).sink.lines } == nil)
  }

  @Test("a row of digits that the text beside it does not confirm is lost, and reported")
  func digits() {
    let head = "T 10.0.0.2:80 -> 10.0.0.1:5000 [AP] #3\n"
    let good = "  81 0e 5b 33 33 2c 31 2c    35 38 36 32 33 35 34 5d    ..[33,1,5862354]\n\n"
    let bad = good.replacing("5b", with: "5c")
    let file = Array((head + good + head + good + bad).utf8)
    let (sink, _) = read(text: [file])
    #expect(sink.codes == ["dump.not-understood"])
    #expect(sink.lines.contains { $0.hasPrefix("gap -1") })
    #expect(difference(forEveryCutOf: file) { read(text: $0).sink.lines } == nil)
  }
}
