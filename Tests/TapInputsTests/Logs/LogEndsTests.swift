// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEvidence
import TapInputs
import TapTesting
import TapTraffic
import Testing

/// What begins and ends lines beside LF, and what text there is beside UTF-8.
@Suite struct LogEndsTests {
  /// What a file tells, recognised by its content, however it is cut.
  private func reported(_ file: [UInt8]) -> [String] {
    func report(_ pieces: [[UInt8]]) -> [String] {
      let sink = LogSink()
      var head = Scratch()
      var input: (any Input)?
      for (index, piece) in (pieces + [[]]).enumerated() {
        guard input == nil else {
          input!.receive(piece.span.bytes, sink)
          continue
        }
        head.append(piece.span.bytes)
        let isAll = index == pieces.count
        switch Inputs.recognise(
          head.bytes, isAll: isAll, input: 0, limits: Limits(), choice: TestLog.choice)
        {
        case .needMore: continue
        case .unknown: return ["unknown"]
        case .input(let found): input = found
        }
        input!.receive(head.bytes, sink)
      }
      input?.finish(sink)
      return sink.reported
        + sink.recorder.messages.map {
          "\($0.delivery.origin.record) \($0.delivery.origin.offset)"
        }
    }
    let difference = difference(forEveryCutOf: file, reported: report)
    #expect(difference == nil, "\(difference?.pieces ?? []) \(difference?.cut ?? [])")
    return report([file])
  }

  @Test(
    "what ends a line, or stands ahead of it, is no part of it",
    arguments: [
      (
        "a\r> [33,1,7]\r< [33,2,7]\r",
        ["1 toServer [33,1,7]", "1 toClient [33,2,7]", "1 4", "1 15"]
      ),
      ("> [33,1,7]\r> [33,1,7]\r", ["1 toServer [33,1,7]", "1 toServer [33,1,7]", "1 2", "1 13"]),
      ("a line\r\n> [33,1,7]\r\n", ["1 toServer [33,1,7]", "2 10"]),
      (
        "a\n10%\r20%\r> [33,1,7]\r< [33,2,7]\n",
        ["1 toServer [33,1,7]", "1 toClient [33,2,7]", "2 12", "2 23"]
      ),
      (
        "a\n10%\r> [33,1,7]\r\r> [33,1,7]\r\n",
        ["1 toServer [33,1,7]", "1 toServer [33,1,7]", "2 8", "2 20"]
      ),
      ("a\nsent [33,\r1,7]\n", ["1 toServer [33,\r1,7]", "2 7"]),
      ("a\n10%\rsent [33,\n1,7]\n", ["1 toServer [33,\n1,7]", "2 11"]),
      ("\u{FEFF}> [33,1,7]\n", ["1 toServer [33,1,7]", "1 5"]),
      ("a\n\u{0C}> [33,1,7]\n", ["1 toServer [33,1,7]", "2 5"]),
      ("a line that has more\n\0\0> [33,1,7]\0\n", ["1 toServer [33,1,7]", "2 25"]),
    ] as [(String, [String])])
  func ends(text: String, expected: [String]) {
    #expect(reported(Array(text.utf8)) == expected)
  }

  @Test("what a file was emptied of is NUL") func emptied() {
    let text = Array("x recv: [33,1,7]\n".utf8)
    for count in [1, 15, 16, 300] {
      let file = [UInt8](repeating: 0, count: count) + text
      #expect(reported(file).first == "1 toClient [33,1,7]")
    }
    #expect(reported([UInt8](repeating: 0, count: 1100)) == ["unknown"])
  }

  @Test("half of a text in another encoding is ASCII, and nothing of it a control") func encodings()
  {
    let words: [UInt8] = [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2]
    let text = Array("12:34 x recv: [33,1,7] ".utf8) + words + [0x0A]
    #expect(reported(text).first == "1 toClient [33,1,7]")
    let noise: [UInt8] = words + words + [1, 0, 0, 4, 7, 0x80, 0x41, 0x42, 0x0A]
    #expect(reported(noise) == ["unknown"])
    #expect(
      reported(Array("\u{7F}ELF\u{2}\u{1}\u{1}\0\0\0\0\0\0\0\0\0\u{3}\0>\0\n\0".utf8)) == [
        "unknown"
      ])
  }
}
