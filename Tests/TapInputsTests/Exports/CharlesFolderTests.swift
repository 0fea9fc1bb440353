// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEvidence
import TapExports
import TapTesting
import TapTraffic
import Testing

@Suite struct CharlesFolderTests {
  @Test func namesSayTheOrder() {
    let names = [
      "chat_a.example_000010_client.bin", "readme.txt", "chat_a.example_000002_server.bin",
      "_000003_client.bin", "b_7_client.bin", "b_x_client.bin", "b_000001_client.txt", "client.bin",
      "b_000001_proxy.bin",
    ]
    #expect(
      CharlesFolder.messages(among: names).map(\.name) == [
        "chat_a.example_000002_server.bin", "_000003_client.bin", "b_7_client.bin",
        "chat_a.example_000010_client.bin",
      ])
  }

  @Test func messages() {
    let sink = SinkRecorder()
    var folder = CharlesFolder(input: 2, limits: Limits())
    let files = CharlesFolder.messages(
      among: ["a_1_client.bin", "a_2_server.bin", "b_3_server.bin", "a_4_client.bin"])
    let contents: [[UInt8]] = [Array("[1]".utf8), [0x93, 0xFF], Array("é".utf8), []]
    for (file, content) in zip(files, contents) {
      folder.receive(content.span.bytes, file, isWhole: file.name != "a_4_client.bin", sink)
    }
    #expect(
      sink.lines.prefix(5).map { $0.replacing(/\ at \d+/, with: "") } == [
        "opened 1 webSocket  ", "message of 1 toServer text [1]",
        "message of 1 toClient binary \u{FFFD}\u{FFFD}", "opened 2 webSocket  ",
        "message of 2 toClient text é",
      ])
    #expect(sink.codes == ["export.message-too-large"])
    #expect(sink.lines.last == "gap -1 toServer")
    #expect(sink.messages.map(\.delivery.origin.record) == [1, 2, 3])
  }
}
