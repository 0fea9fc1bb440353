// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Names of values that are times of what a record tells, the best first.
enum LogTimeNames {
  /// Names up to here are sure; others are taken when no better one is there.
  static let sure: UInt8 = 24

  private static let names: [StaticString] = [
    "timestamp", "@timestamp", "__realtime_timestamp", "time", "ts", "t", "@t", "date", "datetime",
    "asctime", "eventtime", "event_time", "_time", "@time", "instant", "timemillis", "epochmillis",
    "log_time", "logtime", "timestampms", "timestamp_ms", "time_ms", "dt", "when",
    "created", "createdat", "created_at", "receivetimestamp", "ingestiontime", "logged_at",
    "timegenerated", "_source_realtime_timestamp", "time_local", "starttime",
  ]

  /// By length, a bit for the first letter of each that is so long; upper and lower case alike.
  private static let initials: [UInt32] = {
    var initials = [UInt32](repeating: 0, count: names.map(\.utf8CodeUnitCount).max()! + 1)
    for name in names { initials[name.utf8CodeUnitCount] |= 1 << UInt32(name.utf8Start[0] & 31) }
    return initials
  }()

  /// Its place among them; nil for any other word.
  static func rank(_ word: RawSpan) -> UInt8? {
    if word.isEmpty || word.byteCount >= initials.count { return nil }
    if initials[word.byteCount] >> UInt32(word.byte(at: 0) & 31) & 1 == 0 { return nil }
    for (rank, name) in names.enumerated() where name.utf8CodeUnitCount == word.byteCount {
      if isSame(word, name) { return UInt8(rank) }
    }
    return nil
  }

  /// The word before a colon or an equals sign, without its quotation marks.
  static func word(_ line: RawSpan, before divider: Int) -> Range<Int>? {
    var end = divider
    while end > 0, isFiller(line.byte(at: end - 1)) { end -= 1 }
    var start = end
    while start > 0, isLetter(line.byte(at: start - 1)) { start -= 1 }
    return start < end ? start..<end : nil
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    byte | 0x20 &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x5F || byte == 0x40
  }

  /// What may stand between a name, its divider and its value.
  static func isFiller(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D, 0x22, 0x27, 0x5B, 0x5C: true
    default: false
    }
  }

  /// Words that call a clock a duration.
  static func isDuration(_ word: RawSpan) -> Bool {
    durations.contains { $0.utf8CodeUnitCount == word.byteCount && isSame(word, $0) }
  }

  private static let durations: [StaticString] = [
    "up", "uptime", "elapsed", "duration", "took", "after", "ttl", "timeout", "age", "remaining",
    "eta", "for", "within", "mac", "every",
  ]

  private static func isSame(_ word: RawSpan, _ name: StaticString) -> Bool {
    for at in 0..<word.byteCount {
      let byte = word.byte(at: at)
      let lower = byte &- 0x41 < 26 ? byte | 0x20 : byte
      if lower != name.utf8Start[at] { return false }
    }
    return true
  }
}
