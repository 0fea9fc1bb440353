// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// How often a server sends something, as far as its heart-beats have shown.
struct SockJSHeartbeat {
  /// When the server sent something last, in nanoseconds.
  private var last: Int64?
  /// The longest time before a heart-beat so far.
  private var period: Int64 = 0
  private var beats = 0

  /// The server sent something, or the session ended.
  ///
  /// - Returns: for how many seconds nothing came, if that is more than twice the period.
  mutating func look(at time: Instant, isBeat: Bool) -> Int? {
    guard time.isKnown else { return nil }
    defer { last = time.nanoseconds }
    guard let last else { return nil }
    let silence = time.nanoseconds - last
    if beats >= 2 && period > 0 && silence > 2 * period {
      return Int(silence / 1_000_000_000)
    }
    if isBeat { (period, beats) = (max(period, silence), beats + 1) }
    return nil
  }

  /// Something may not have been captured.
  mutating func forget() { last = nil }
}
