// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

/// Dumps that were not copied whole, or carry more than bytes.
@Suite("Damaged dumps") struct DumpDamageTests {
  /// Lines of xxd to be taken apart.
  private let lines = Dump.xxd(bothFrames).split(separator: "\n").map(String.init)

  private func reported(_ lines: [String]) -> SinkRecorder {
    read(Array(lines.joined(separator: "\n").utf8))
  }

  private func frames(without hole: Range<Int>) -> [UInt8?] {
    let all = bothFrames.map(Optional.some)
    return all[..<hole.lowerBound] + [nil] + all[hole.upperBound...]
  }

  @Test("a line that is missing is a hole of known length") func missing() {
    let sink = reported([lines[0], lines[2], lines[3]])
    #expect(sink.codes == ["dump.offset"])
    #expect(sink.findings.first?.lostBytes == 16)
    #expect(sink.streamed == frames(without: 16..<32))
    #expect(sink.lines.contains("gap 16 unknown"))
  }

  @Test("a line that comes twice is read once") func twice() {
    let sink = reported([lines[0], lines[1], lines[1], lines[2], lines[3]])
    #expect(sink.codes == ["dump.offset"])
    #expect(sink.streamed == bothFrames)
  }

  @Test("base64 in lines that are indented") func indented() {
    let text = Dump.base64(bothFrames)
    let lines = stride(from: 0, to: text.count, by: 20).map { text.dropFirst($0).prefix(20) }
    let sink = read(Array(lines.map { "   " + $0 + " \r\n" }.joined().utf8))
    #expect(sink.codes == [])
    #expect(sink.streamed == bothFrames)
    let words = read([Array(lines.joined(separator: " ").utf8)])
    #expect(words.kind == "log")
  }

  @Test("a line that is short is a hole behind it") func short() {
    let sink = reported([lines[0], String(lines[1].prefix(10 + 39 - 5)), lines[2], lines[3]])
    #expect(sink.codes == ["dump.offset"])
    #expect(sink.streamed == frames(without: 30..<32))
  }

  @Test("a line that ends in the middle of a byte") func half() {
    let sink = reported([lines[0], String(lines[1].prefix(10 + 39 - 6)), lines[2], lines[3]])
    #expect(sink.codes == ["dump.odd-digits", "dump.offset"])
    #expect(sink.findings.map(\.lostBytes) == [1, 2])
    #expect(sink.streamed.firstIndex(of: nil) == 29)
    #expect(sink.streamed.suffix(30) == bothFrames.suffix(30).map(Optional.some))
  }

  @Test("a quoted dump, and one with the line ends of Windows", arguments: ["> ", ">", "  "])
  func quoted(_ mark: String) {
    let rows = [Dump.xxd(bothFrames), Dump.hexdump(bothFrames), Dump.plain(bothFrames)]
    for text in rows {
      let quoted = text.split(separator: "\n").map { mark + $0 + "\r\n" }.joined()
      let sink = read(Array(quoted.utf8))
      #expect(sink.codes == [])
      #expect(sink.streamed == bothFrames)
    }
  }

  @Test(
    "digits",
    arguments: [
      ("81 05 48 65 6c 6c 6f 8z 02 41 42", ["dump.bad-digit"], 7),
      ("81 05 48 65 6c 6c 6f 8 02 41 42", ["dump.odd-digits"], 7),
      ("81 05 48 6z 6c 6c 6f 81 02 41 42", ["dump.bad-digit"], 3),
      ("810548656c6c6f8z024142", ["dump.bad-digit"], 7),
      ("8105486z6c6c6f81024142", ["dump.bad-digit"], 3),
      ("810548656c6c6f8", ["dump.odd-digits"], 7),
      ("\\x81\\x05Hello\\x8", ["dump.odd-digits"], 7),
      ("\\x81\\x05Hello\\x8z", ["dump.odd-digits"], 7),
      ("{0x81, 5, 'H', 0x65}", ["dump.bad-digit"], 2),
      ("{0x81, 5, 0x48, 0x165, 0x6c}", ["dump.bad-digit"], 3),
    ])
  func digits(_ text: String, _ codes: [String], _ hole: Int) {
    let sink = read(Array(text.utf8))
    #expect(sink.codes == codes)
    #expect(sink.streamed.firstIndex(of: nil) == hole)
    #expect(sink.findings.first?.text.hasPrefix("line 1, column ") == true)
  }

  @Test("a remark between literals is passed over") func remark() {
    let sink = read(Array("b\"\\x81\\x01H\"\n>>> b\"\\x81\\x01I\"".utf8))
    #expect(sink.codes == ["dump.not-understood"])
    #expect(sink.streamed == [0x81, 1, 0x48, 0x81, 1, 0x49])
  }

  @Test("a length that is not kept") func length() {
    let text = Dump.cArray(bothFrames).replacing("[\(bothFrames.count)]", with: "[99]")
    #expect(read(Array(text.utf8)).codes == ["dump.wrong-length"])
    let dump = Dump.hexdump(bothFrames).replacing("0000003e", with: "00000050")
    #expect(read(Array(dump.utf8)).codes == ["dump.wrong-length"])
  }

  @Test("lines that were left out for being the same") func repeated() {
    let bytes = plainFrame(String(repeating: "a", count: 100))
    let all = Dump.hexdump(bytes).split(separator: "\n").map(String.init)
    let sink = reported([all[0], all[1], "*"] + all[6...])
    #expect(sink.codes == [])
    #expect(sink.streamed == bytes)
  }
}
