// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic
import Testing

@testable import TapLogs

@Suite("Lines that belong together") struct GatheredLinesTests {
  /// What was said of each line that is added to a first one: whether it may belong there, and if
  /// so, whether all has come.
  private func added(
    _ lines: [String], to first: String, _ awaited: GatheredLines.Awaited, _ anchors: LogAnchors
  ) -> [Bool?] {
    var list = ListEnd(from: 0)
    let start = Array(first.utf8)
    list.advance(start.span.bytes)
    var gathered = GatheredLines(awaited, list, anchors, lineAbove: Scratch(), Origin())
    gathered.text.append(start.span.bytes)
    return lines.map { line in
      let bytes = Array(line.utf8)
      guard gathered.mayGoOn(with: bytes.span.bytes) else { return nil }
      gathered.endLine(margin: RawSpan())
      gathered.append(bytes.span.bytes, at: 0)
      return gathered.advance(behind: bytes.count, nil)
    }
  }

  @Test("a list goes on until it ends") func list() {
    #expect(added(["  4,", "  5]"], to: "sent [35,", .list, .program) == [false, true])
  }

  @Test("below words that say what was sent, an object begins, or nothing") func object() {
    #expect(added(["{", "  \"a\": 1", "}"], to: "Sent:", .list, .sent) == [false, false, true])
    #expect(added(["done"], to: "Sent:", .list, .sent) == [nil])
  }

  @Test("bytes of a block end where other lines begin") func block() {
    #expect(added(["", "    00 01"], to: "binary", .indented, .program) == [false, false])
  }
}
