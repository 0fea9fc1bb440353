// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Statistics as NDJSON.
struct StatsNDJSON: StatsForm {
  func append(_ statistics: Statistics, _ summary: Summary, to text: inout TextBuffer) {
    var rows = StatsRows(statistics: statistics)
    rows.append(summary, to: &text)
  }
}
