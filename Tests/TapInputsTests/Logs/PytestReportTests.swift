// SPDX-License-Identifier: Apache-2.0
import TapBytes
@testable import TapLogs
import Testing

@Suite struct PytestReportTests {
  @Test(
    "what is source ends where the report says so",
    arguments: [
      (["====== FAILURES ======", "a"], true), (["======= ERRORS ======="], true),
      (["2026-11-28T17:00:00.0000000Z ====== FAILURES ======"], true),
      (["====== FAILURES ======", "____ test ____"], true),
      (["====== FAILURES ======", "---- Captured log call ----"], false),
      (["====== FAILURES ======", "---- Captured log call ----", "___ test ___"], true),
      (["====== FAILURES ======", "==== 1 failed in 1 s ===="], false),
      (["====== FAILURES ======", "== summary ==", "___ test ___"], false),
      (["FAILURES ======"], false), (["====== no FAILURES"], false), (["___ test ___"], false),
      (["====== FAILURES ======", "", "a__"], true),
    ] as [([String], Bool)])
  func isSource(lines: [String], isSource: Bool) {
    var report = PytestReport()
    for line in lines { report.note(Array(line.utf8).span.bytes) }
    #expect(report.isSource == isSource)
  }
}
