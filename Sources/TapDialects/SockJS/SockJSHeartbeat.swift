// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// The interval at which a server sends, learnt from its heart-beats. Some servers beat when they
/// have sent nothing for the interval, others (Vert.x) whatever they send.
struct SockJSHeartbeat {
  /// When the server last sent something, and when it last sent a heart-beat.
  private var (last, lastBeat) = (Instant.unknown, Instant.unknown)
  /// The longest silence before a heart-beat, in nanoseconds. It is never more than the interval.
  private var silenceBefore: Int64 = 0
  /// The shortest time between two heart-beats, unless these were held up on their way. Messages
  /// between them make it longer than the interval, but never shorter.
  private var distance: Int64?

  /// The server sent something, or the session ended.
  ///
  /// - Returns: the silence in seconds, if it is more than twice the interval.
  mutating func look(at time: Instant, isBeat: Bool) -> Int? {
    guard time.isKnown else { return nil }
    defer {
      last = time
      if isBeat { lastBeat = time }
    }
    guard let silence = time.nanoseconds(since: last) else { return nil }
    if let distance, case let interval = max(silenceBefore, distance), interval > 0,
      silence / 2 > interval
    {
      return Int(silence / 1_000_000_000)
    }
    guard isBeat else { return nil }
    silenceBefore = max(silenceBefore, silence)
    if let found = time.nanoseconds(since: lastBeat) { distance = min(distance ?? found, found) }
    return nil
  }

  /// Something may not have been captured.
  mutating func forget() { (last, lastBeat) = (.unknown, .unknown) }
}
