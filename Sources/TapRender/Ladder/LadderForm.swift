// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// How a ladder is drawn.
protocol LadderForm {
  /// Draws what the page keeps.
  mutating func draw(_ page: inout LadderPage, into text: inout TextBuffer)

  /// The last of it was drawn.
  ///
  /// - Parameter isMissed: nothing of what was asked for was there.
  mutating func end(_ summary: Summary, isMissed: Bool, into text: inout TextBuffer)
}
