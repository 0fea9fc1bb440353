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
  /// Monotonic nanoseconds (CLOCK_MONOTONIC); their origin is arbitrary.
  static func now() -> UInt64 {
    let time = read(CLOCK_MONOTONIC)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The time of the day, as packets that are captured now have it.
  static var instant: Instant {
    let time = read(CLOCK_REALTIME)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Seconds since 1970 on the local clock.
  static var localSeconds: Int64 {
    let seconds = instant.nanoseconds / 1_000_000_000
    return seconds + Terminal.offset(at: seconds)
  }

  /// Milliseconds from one moment to another; -1 for never.
  static func milliseconds(from now: UInt64 = now(), until due: UInt64?) -> Int32 {
    guard let due else { return -1 }
    return due <= now ? 0 : Int32(clamping: (due - now) / 1_000_000 + 1)
  }

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }
}
