// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// How statistics are written down, once they are complete.
protocol StatsForm {
  func append(_ statistics: Statistics, _ summary: Summary, to text: inout TextBuffer)
}
