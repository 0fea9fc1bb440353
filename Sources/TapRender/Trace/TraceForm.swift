// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// How traces are written.
protocol TraceForm {
  func append(
    _ publication: TracePublication, _ book: TraceBook, to text: inout TextBuffer)

  func append(_ call: TraceCall, _ book: TraceBook, to text: inout TextBuffer)

  /// Writes what stands behind all traces.
  ///
  /// - Parameters:
  ///   - shown: traces that were written.
  ///   - more: those that were left out.
  func end(
    _ summary: Summary, shown: Int, more: Int, _ book: TraceBook, to text: inout TextBuffer)
}
