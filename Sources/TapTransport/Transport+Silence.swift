// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

extension Transport {
  /// Nanoseconds that the clock of a capture that is watched as it happens may differ from that of
  /// this machine; otherwise it is of another time.
  private static let mostApart: Int64 = 10_000_000_000

  /// No packet has come for a while: what has waited long enough for what is missing waits no
  /// longer, though nothing else moves the clock on. Of a capture of another time nothing is
  /// concluded.
  ///
  /// - Parameters:
  ///   - silence: nanoseconds since the last packet; told to be none first.
  ///   - now: by the clock of this machine.
  /// - Returns: how long it has to be quiet until the next is to be looked at; nil when nothing
  ///   waits.
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
