// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Lines that wait for what others say of them.
extension LogReader {
  /// A message was found, or may be on a line that waits.
  var hasMessages: Bool { tally.hasMessages || !undecided.isEmpty }

  var waiting: UInt64? {
    let first = [
      undecided.first?.origin.offset, repeated?.candidate.origin.offset,
      narration.waiting,
    ]
    return first.compactMap { $0 }.min()
  }

  /// Others do not come.
  mutating func settle(_ sink: any EvidenceSink) {
    decide(sink)
    endRepeated(sink)
    settleNarrated(sink)
  }
}
