// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Measures how long no packet has come while a capture is read, so that what waits for a lost
/// packet is decided on without waiting for the next one.
struct IdleTimer {
  /// Nanoseconds for which packets may be under way: gathered by the kernel, or by programs that
  /// pass them on.
  private let underWay: UInt64
  /// When something came last.
  private var heard = Clock.now()
  private var isBeginning = true
  /// When something that waits is to be looked at; nil when nothing does.
  private(set) var due: UInt64?

  init(underWay: UInt64) { self.underWay = underWay }

  /// Something has come: the silence has ended.
  mutating func end() { (heard, isBeginning) = (Clock.now(), true) }

  /// Nothing more has come until now.
  mutating func tick(_ sink: any EvidenceSink) {
    let begin = heard + underWay
    let now = Clock.now()
    let silence = now > begin && !isBeginning ? Int64(clamping: now - begin) : 0
    isBeginning = false
    due = sink.quiet(for: silence, at: Clock.instant).map { begin + UInt64(max($0, 0)) }
  }
}
