// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEvidence
import TapTesting
import TapTraffic
import Testing

/// Frames of STOMP over several lines, with and without their bodies.
@Suite("Frames on lines") struct FrameLinesTests {
  private func reported(_ text: String) -> [String] {
    let sink = OctetSink()
    TestLog.read(text, onto: sink) { FrameTexts() }
    return sink.reported.map { $0.replacing("\0", with: "@") }
  }

  private static let send = ">>> SEND\ndestination:/a\ncontent-length:6\n\n"
  private static let head =
    #"{"command":"SEND","headers":[["destination","/a"],["content-length","6"]],"body":null}"#

  @Test(
    "where a body is printed, it is of the frame; where none is, what follows is not",
    arguments: [
      // Its body begins with an empty line.
      (
        send + "\nhello\0\n", ["1 toServer text SEND\ndestination:/a\ncontent-length:6\n\n\nhello@"]
      ),
      (send, ["1 toServer text \(head)"]),
      (send + "another line\n", ["1 toServer text \(head)"]),
      (send + "another line\n" + send, ["1 toServer text \(head)", "1 toServer text \(head)"]),
      (
        send + "\n\napp.js:8 >>> DISCONNECT\n\n",
        [
          "1 toServer text \(head)", "1 toServer text DISCONNECT\n\n@",
        ]
      ),
      // NUL is lost where lines are copied.
      (
        send + "{\"a\":\n1\nmore\n",
        ["1 toServer text \(head)"]
      ),
      (
        send + "[\n12\n]\n",
        ["1 toServer text SEND\ndestination:/a\ncontent-length:6\n\n[\n12\n]@"]
      ),
      (
        ">>> SEND\ndestination:/a\n\nhello\n",
        [
          #"1 toServer text {"command":"SEND","headers":[["destination","/a"]],"body":null}"#
        ]
      ),
      (send + "INFO >>> SEND\nid:1\n", ["1 toServer text \(head)"]),
    ])
  func bodies(text: String, wanted: [String]) {
    #expect(reported(text) == wanted)
  }
}

private final class FrameTexts: TextRecogniser {
  func recognise(_ text: RawSpan, _ kind: Delivery.Kind) -> Recognition {
    let isFrame = ["SEND\n", "DISCONNECT\n", "{\"command\":"].contains {
      String(decoding: text.copied(), as: Unicode.UTF8.self).hasPrefix($0)
    }
    return isFrame ? Recognition(.likely) : .none
  }
}
