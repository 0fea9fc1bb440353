// SPDX-License-Identifier: Apache-2.0
import TapBytes
import Testing

@testable import TapLogs

@Suite struct TracebackSourceTests {
  private static let frame = #"  File "/srv/app.py", line 12, in handle"#

  @Test(
    "what stands further in below a frame is source",
    arguments: [
      (frame, #"    data = a["data"]"#, true),
      ("web-1  | " + frame, #"web-1  |     data = a["data"]"#, true),
      ("  | " + frame, #"  |     data = a["data"]"#, true),
      (frame, #"KeyError: a["data"]"#, false), (frame, #"  a["data"]"#, false),
      ("web-1  | " + frame, #"web-22 |   a["data"]"#, false), (frame, "    ", false),
      ("Got file:", #"    a["data"]"#, false),
    ])
  func isSource(frame: String, line: String, isSource: Bool) {
    let (frame, line) = (Array(frame.utf8), Array(line.utf8))
    let bytes = line.span.bytes
    let found =
      TracebackSource.mayBe(bytes)
      && TracebackSource.isSource(bytes, below: frame.span.bytes)
    #expect(found == isSource)
  }
}
