// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Statistics as NDJSON.
struct StatsNDJSON: StatsForm {
  /// Names of the inputs as typed, by number.
  let inputs: [String]

  var isRead: Bool { false }

  func append(_ statistics: Statistics, _ summary: Summary, to text: inout TextBuffer) {
    var rows = StatsRows(statistics: statistics, inputs: inputs)
    rows.append(summary, to: &text)
  }
}
