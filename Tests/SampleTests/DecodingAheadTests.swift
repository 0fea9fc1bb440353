// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import TapTraffic
import Testing

/// A long capture is decoded by a thread of its own: nobody is to see that.
@Suite("Decoding ahead", .serialized) struct DecodingAheadTests {
  private let folder: URL

  /// Two captures of more than what one thread reads, at the same time; the second is cut off.
  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (number, name) in ["a.pcap", "b.pcap"].enumerated() {
      var conversation = Conversation()
      conversation.client.port += UInt16(number)
      var talk = Dialogue(conversation)
      talk.clock += UInt64(number) * 500_000
      talk.open("wamp.2.json")
      talk.text(.toServer, #"[1,"r",{"roles":{"caller":{}},"authextra":{"password":"abc-xyz"}}]"#)
      talk.text(.toClient, #"[2,9129137332,{"roles":{"dealer":{}}}]"#)
      let filling = String(repeating: "text ", count: 1000)
      for request in 1...860 {
        talk.text(.toServer, #"[48,\#(request),{},"com.x",["\#(filling)",\#(request)]]"#)
        if request % 97 == 0 { continue }
        talk.text(.toClient, #"[50,\#(request),{},["é"]]"#)
      }
      var bytes = talk.pcap()
      if number == 1 { bytes.removeLast(40) }
      try Data(bytes).write(to: folder.appending(path: name))
    }
  }

  private func leave() { try? FileManager.default.removeItem(at: folder) }

  @Test(
    "it tells the same",
    arguments: [
      ["a.pcap", "-o", "ndjson"], ["b.pcap", "a.pcap", "-v", "-x"],
      ["a.pcap", "missing.pcap", "port 50000"], ["a.pcap", "-Y", "exchange(unanswered)"],
      ["b.pcap", "-c", "100"], ["flow", "b.pcap", "-Y", "latency > 1s"],
    ])
  func same(words: [String]) throws {
    defer { leave() }
    let ahead = try Program.run(words + ["--jobs", "2"], in: folder)
    let plain = try Program.run(words + ["--jobs", "1"], in: folder)
    #expect(ahead.output == plain.output)
    #expect(ahead.complaints == plain.complaints)
    #expect(ahead.status == plain.status)
  }

  /// Control-C ends it with a summary of what was shown.
  @Test("it can be interrupted") func interrupted() throws {
    defer { leave() }
    let (output, complaints) = (Pipe(), Pipe())
    let words = ["-o", "ndjson", "--jobs", "2", folder.appending(path: "a.pcap").path]
    let process = try Program.start(words, Pipe(), output, complaints: complaints)
    // It waits until somebody takes what it shows.
    var text = output.fileHandleForReading.readData(ofLength: 10_000)
    process.interrupt()
    text += try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    #expect(lines.last?.contains(#""stopped":"interrupt""#) == true)
    #expect(lines.count > 10 && lines.count < 1720)
  }
}
