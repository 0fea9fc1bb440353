// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// The interval at which a server sends, learnt from its heart-beats.
struct SockJSHeartbeat {
  /// When the server last sent something.
  private var last = Instant.unknown
  /// The longest time before a heart-beat so far, in nanoseconds.
  private var period: Int64 = 0
  private var beats = 0

  /// The server sent something, or the session ended.
  ///
  /// - Returns: the silence in seconds, if it is more than twice the period.
  mutating func look(at time: Instant, isBeat: Bool) -> Int? {
    guard time.isKnown else { return nil }
    defer { last = time }
    guard let silence = time.nanoseconds(since: last) else { return nil }
    if beats >= 2 && period > 0 && silence > 2 * period { return Int(silence / 1_000_000_000) }
    if isBeat { (period, beats) = (max(period, silence), beats + 1) }
    return nil
  }

  /// Something may not have been captured.
  mutating func forget() { last = .unknown }
}
