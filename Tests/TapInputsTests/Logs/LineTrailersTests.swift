// SPDX-License-Identifier: Apache-2.0
import TapBytes
@testable import TapLogs
import Testing

/// What loggers put behind messages, and what only looks like it.
@Suite struct LineTrailersTests {
  /// What is left of the last line, once all are known.
  private func last(_ lines: [String]) -> String {
    var trailers = LineTrailers()
    for line in lines { trailers.learn(from: Array(line.utf8).span.bytes) }
    let line = Array(lines.last!.utf8)
    return String(decoding: line[..<trailers.end(line.span.bytes)], as: Unicode.UTF8.self)
  }

  @Test(
    "what several lines have is cut off",
    arguments: [
      ("1 [info     ] a [b.c]", "1 [debug    ] d [x]  [asyncio]", "1 [debug    ] d [x]"),
      ("00:00 a (b.py:7)", "00:00 d (x.py:1) (b_c.py:12)", "00:00 d (x.py:1)"),
      ("INFO   a bc   x.py:1", "INFO   \u{E9}   main.py:1", "INFO   \u{E9}"),
      ("INFO   a   main.py:1", "INFO   abcd ma.py:1", "INFO   abcd ma.py:1"),
      ("00:00 a (b.py:7)", "00:00 d (b.py:7)\r", "00:00 d"),
    ])
  func cut(first: String, second: String, rest: String) {
    #expect(last([first, second]) == rest)
  }

  @Test("a place that fills its line up to the margin is cut off once others have shown that")
  func full() {
    #expect(last(["I  a   main.py:1", "I  ab  main.py:1", "I  abc main.py:1"]) == "I  abc")
  }

  @Test(
    "what may be of the message is not",
    arguments: [
      // One line proves nothing.
      ["00:00 [debug    ] hello [x]"], ["00:00 hello (b.py:7)"], ["INFO  hello  b.py:7"],
      // Most lines have none.
      ["00:00 [debug    ] a", "00:00 [debug    ] b", "00:00 [info     ] c", "[info     ] d [x]"],
      ["00:00 a", "00:00 b", "00:00 c", "00:00 d (b.py:7)", "00:00 e (b.py:7)"],
      // Without a level, nobody says that a logger stands there.
      ["00:00 a [x]", "00:00 b [y]"], ["00:00 [ok] a [x]", "00:00 [ok] b [y]"],
      // Neither names of loggers nor of files.
      ["[info     ] [1]", "[info     ] [2]"], ["[info     ] a[b]", "[info     ] b[c]"],
      ["a (b.com:80)", "b (b.com:80)"], ["a   b.com:80", "b   b.com:80"], ["[info     ]", "[x]"],
      ["a(b.py:1)", "b(b.py:1)"], ["(b.py:1)", "(b.py:1)"], ["  b.py:1", "  b.py:1"],
      // At no margin.
      ["a main.py:1", "b main.py:1"], ["a   main.py:1", "bc   main.py:1", "def   main.py:1"],
    ])
  func kept(lines: [String]) {
    #expect(last(lines) == lines.last!)
  }

  @Test(
    "a size says that the message ends before it",
    arguments: [
      ("< TEXT 'a' [1 byte] (b.py:7)", "< TEXT 'a' [1 byte]"),
      ("< TEXT 'a' [1 byte]   b.py:7", "< TEXT 'a' [1 byte]"),
      ("< TEXT 'a' [text, 1 byte] [b.c]", "< TEXT 'a' [text, 1 byte]"),
      ("< TEXT 'a' [1 byte]", "< TEXT 'a' [1 byte]"),
    ])
  func sized(line: String, rest: String) {
    #expect(last([line]) == rest)
  }
}
