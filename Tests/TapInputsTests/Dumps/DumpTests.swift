// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

/// Bytes as text, whatever wrote them.
@Suite("Dumps") struct DumpTests {
  @Test("every notation stands for the same bytes", arguments: Dump.all.map(\.name))
  func octets(_ name: String) throws {
    let dump = try #require(Dump.all.first { $0.name == name })
    let (sink, kind) = read([Array(dump.text.utf8)])
    #expect(kind == dump.kind)
    #expect(sink.streamed == bothFrames)
    #expect(sink.codes == [])
    #expect(sink.recognitions.count == 1)
    #expect(sink.lines.last?.hasPrefix("recognised") == true)
  }

  @Test("every cut tells the same", arguments: Dump.all.map(\.name))
  func cuts(_ name: String) throws {
    let dump = try #require(Dump.all.first { $0.name == name })
    let reported = difference(forEveryCutOf: Array(dump.text.utf8)) { read($0).sink.lines }
    #expect(
      reported == nil, "\(reported?.pieces ?? []) \(reported?.whole ?? []) \(reported?.cut ?? [])")
  }

  @Test("damage never crashes nor depends on cuts", arguments: Dump.all.map(\.name))
  func mutations(_ name: String) throws {
    let file = Array(try #require(Dump.all.first { $0.name == name }).text.utf8)
    let alphabet = Array("0123abcfx, \n\t:{}[]*|=\\\"'/zZ".utf8)
    var random = Seeded(UInt64(file.count))
    for _ in 0..<150 {
      var mutated = file
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let at = Int.random(in: 0..<mutated.count, using: &random)
        let byte = alphabet.randomElement(using: &random)!
        switch Int.random(in: 0..<3, using: &random) {
        case 0: mutated[at] = byte
        case 1: mutated.remove(at: at)
        default: mutated.insert(byte, at: at)
        }
      }
      let whole = read([mutated])
      let bytewise = read(mutated.map { [$0] })
      #expect(whole.kind == bytewise.kind)
      #expect(whole.sink.lines == bytewise.sink.lines)
    }
  }

  @Test(
    "no evidence",
    arguments: [
      "deadbeef", "face", "2026-11-21", "hello world", "gateway1", "12345678901234567890",
      "0000 00.. = Codepoint", "the quick brown fox", "81", "8105", "\\d+\\.\\d+", "b'hello'",
      "10.0.0.7:51234", "{\"a\": 1}", "char *name = {\"x\"};",
      "00000000-0000-0000-0000-000000000000", "81052c6f-8a1b-4c3d-9e2f-0123456789ab",
      "6b256ed0123456789abcdef0123456789abcdef0", "fe80::1", "2001:db8:0:0:0:0:0:1",
      "+49 30 12 34 56 78", "2026-11-20T23:45:16.849528Z", "face it", "dead beef ok",
      "2026-11-20 23:45:16 INFO connected", "12:34:56", "\\x", "\\x81\\q\\q",
      "\"time\",\"message\"\n\"10:00:01\",\"got b'\\x10\\x0e'\"\n",
      "\"\"\"About this module.\"\"\"\nimport b\nmark = '\\x81'\n",
    ])
  func noEvidence(_ text: String) {
    let (sink, kind) = read([Array(text.utf8)])
    #expect(kind == "log")
    #expect(sink.streamed.isEmpty && sink.messages.isEmpty && sink.findings.isEmpty)
  }

  @Test("JSON stays JSON", arguments: ["[33,11,5862354]", "[0,1]", "[ 8, 48, 3 ]", "[0]"])
  func json(_ text: String) {
    #expect(read([Array(text.utf8)]).kind == "messages")
  }

  @Test(
    "bytes that are nothing we read are refused, not shown",
    arguments: [
      Dump.xxd([0x7F, 0x45, 0x4C, 0x46, 0, 0]), "20 26 11 21", "\\x7fELF", "{0x7f, 0x45, 0x4c}",
    ])
  func refused(_ text: String) {
    let sink = read([Array(text.utf8)]).sink
    #expect(sink.streamed == [])
    #expect(sink.refusals.count == 1)
    #expect(sink.refusals.first?.contains("no WebSocket frame") == true)
  }

  @Test("what a text stands for may be a file or a message") func inside() {
    let capture = CaptureBuilder.pcap(packets: somePackets)
    let plain = read([capture]).sink
    for text in [Dump.xxd(capture), Dump.base64(capture), Dump.plain(capture)] {
      let sink = read([Array(text.utf8)]).sink
      #expect(sink.packets.map(\.bytes) == plain.packets.map(\.bytes))
    }
    let message = Array("[33,11,5862354]".utf8)
    #expect(read(Array(Dump.xxd(message).utf8)).messages.map(\.bytes) == [message])
  }
}
