// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// How statistics are written down, once they are complete.
protocol StatsForm {
  /// Whether people read it, so that it may be shown before the end.
  var isRead: Bool { get }

  func append(_ statistics: Statistics, _ summary: Summary, to text: inout TextBuffer)
}
