// SPDX-License-Identifier: Apache-2.0
import TapTraffic

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What time it is while the program runs.
enum Clock {
  /// Nanoseconds since some time or other; nobody sets this clock.
  static func now() -> UInt64 {
    let time = read(CLOCK_MONOTONIC)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Older packets have come to whoever reads them while they are captured: the kernel gathers them
  /// for 10 ms.
  static var arrived: Instant { Instant(nanoseconds: instant.nanoseconds - arrival) }

  /// Milliseconds until that is past an instant; -1 for never.
  static func wait(until due: Instant?) -> Int32 {
    guard let due else { return -1 }
    let left = due.nanoseconds - arrived.nanoseconds
    return left <= 0 ? 0 : Int32(clamping: left / 1_000_000 + 1)
  }

  private static let arrival: Int64 = 15_000_000

  /// The time of the day, as packets that are captured now have it.
  static var instant: Instant {
    let time = read(CLOCK_REALTIME)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }
}
