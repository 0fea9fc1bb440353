// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

extension Transport {
  /// Nanoseconds that the clock of a capture that is watched as it happens may lie behind that of
  /// this machine; otherwise it is one of another time, or of a machine whose clock is wrong.
  private static let mostBehind: Int64 = 10_000_000_000

  /// No packet has come: what has waited long enough for what is missing waits no longer, though
  /// nothing else moves the clock on. Of a capture of another time nothing is concluded.
  ///
  /// - Parameter now: by the clock of this machine; older packets have all come.
  /// - Returns: when the next is to be looked at; nil when nothing waits.
  public mutating func quiet(until now: Instant, _ listener: any Listener) -> Instant? {
    let behind = now.nanoseconds.subtractingReportingOverflow(shared.clock)
    guard shared.clock > .min, !behind.overflow, abs(behind.partialValue) < Self.mostBehind
    else { return nil }
    shared.advance(to: now)
    if shared.clock >= deadlines.first { expire(listener) }
    return deadlines.first == .max ? nil : Instant(nanoseconds: deadlines.first)
  }
}
