// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

extension Transport {
  /// How far the clock of a live capture may differ from that of this machine, in nanoseconds. With
  /// more, it is a recording from another time.
  private static let mostApart: Int64 = 10_000_000_000

  /// No packet has come for a while: gives up what was waited for long enough, as no packet moves
  /// the clock on. Does nothing for a recording from another time.
  ///
  /// - Parameters:
  ///   - silence: nanoseconds since the last packet; 0 in the first call.
  ///   - now: by the clock of this machine.
  /// - Returns: after how much silence in all to call again; nil when nothing waits.
  public mutating func quiet(
    for silence: Int64, at now: Instant, _ listener: any Listener
  ) -> Int64? {
    let (apart, overflow) = now.nanoseconds.subtractingReportingOverflow(shared.clock)
    guard shared.clock > .min, !overflow, apart.magnitude < Self.mostApart else { return nil }
    if silence == 0 { quietSince = shared.clock }
    shared.advance(to: Instant(nanoseconds: quietSince.raised(by: silence)))
    if shared.clock >= deadlines.first { expire(listener) }
    return deadlines.first == .max ? nil : deadlines.first.lowered(by: quietSince)
  }
}
