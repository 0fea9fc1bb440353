// SPDX-License-Identifier: Apache-2.0
import TapBytes
@testable import TapLogs
import Testing

@Suite struct SyslogEscapesTests {
  private func undone(_ line: String) -> String? {
    SyslogEscapes.undone(Array(line.utf8).span.bytes).map {
      String(decoding: $0.bytes.copied(), as: Unicode.UTF8.self)
    }
  }

  @Test(
    "control characters stand in their place",
    arguments: [
      ("#011a/# (QoS 2)", "\ta/# (QoS 2)"), ("#033[32mrecv#033[0m [1]#015", "recv [1]\r"),
      ("recv [\"#033[31m\"] #011", "recv [\"#033[31m\"] \t"),
    ])
  func undone(text: String, expected: String) {
    for head in ["Nov 28 17:19:41 vm app[1]: ", "<13>1 2026-11-28T17:19:44.1Z vm app 323 - - "] {
      #expect(undone(head + text) == head + expected)
    }
  }

  @Test(
    "what only looks like one is left",
    arguments: [
      "Nov 28 17:19:41 vm app[1]: {\"colour\":\"#011e41\"}", "2026-11-28 17:19:41 app: #011a",
      "Nov 28 17:19:41 vm app[1]: #012 #0", "#033[32m", "Nov 28 17:19:41 vm app[1]: a",
      "Nov 28 17:19:41 vm app[1]: \"\\\"#011\"",
    ])
  func kept(line: String) {
    #expect(undone(line) == nil)
  }
}
