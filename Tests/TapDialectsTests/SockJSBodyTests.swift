// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic
import Testing

@testable import TapDialects

@Suite("Bodies of SockJS") struct SockJSBodyTests {
  /// The frames, and how many bytes carry none.
  private func frames(_ form: SockJSBodyReader.Form, _ pieces: [ArraySlice<UInt8>]) -> [String] {
    var reader = SockJSBodyReader(form, limits: Limits())
    var found: [String] = []
    var passed = 0
    for piece in pieces {
      let use = reader.receive(piece.span.bytes) {
        found.append(String(decoding: $0.copied(), as: Unicode.UTF8.self))
      }
      #expect(use.incomplete == 0)
      passed += use.passed
    }
    #expect(!reader.isInside)
    return found + ["\(passed)"]
  }

  @Test(
    "frames are the same however a body is cut",
    arguments: [
      (SockJSBodyReader.Form.plain, "hhhhhh\no\nh\na[\"x\"]\n", ["o", "h", "a[\"x\"]"]),
      (.plain, "\nc[3000,\"Go away!\"]\n", ["c[3000,\"Go away!\"]"]),
      (
        .event, "\r\ndata: o\r\n\r\ndata: a[\"50%25 %41\"]\r\n\r\n: note\r\ndata:h\r\n\r\n",
        ["o", "a[\"50% %41\"]", "h"]
      ),
      (
        .call, "<html>\n<script>\np(\"a[\\\"\\u00e9)\\\"]\");\n</script>\r\n/**/cb.x(\"o\");\r\n",
        ["a[\"é)\"]", "o"]
      ),
    ])
  func cuts(_ form: SockJSBodyReader.Form, _ body: String, _ wanted: [String]) {
    let bytes = Array(body.utf8)
    let whole = frames(form, [bytes[...]])
    #expect(whole.dropLast() == wanted[...])
    for cut in 1..<bytes.count {
      #expect(frames(form, [bytes[..<cut], bytes[cut...]]) == whole, "cut at \(cut)")
    }
    #expect(frames(form, bytes.indices.map { bytes[$0...$0] }) == whole)
  }

  @Test("a line that is too long is skipped to its end, and noted once") func tooLong() {
    var limits = Limits()
    limits.messageBytes = 4
    var reader = SockJSBodyReader(.plain, limits: limits)
    var found: [String] = []
    var noted = 0
    var incomplete = 0
    for piece in ["a[\"12", "34", "5\"]\nh\n"] {
      let use = reader.receive(Array(piece.utf8).span.bytes) {
        found.append(String(decoding: $0.copied(), as: Unicode.UTF8.self))
      }
      incomplete += use.incomplete
      if reader.isTooLarge {
        noted += 1
        reader.drop()
      }
    }
    #expect(found == ["h"])
    #expect(noted == 1)
    #expect(incomplete == 11)
  }
}
