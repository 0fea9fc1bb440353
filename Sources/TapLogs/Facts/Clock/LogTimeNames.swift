// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Names whose values are the times of records, the best first.
enum LogTimeNames {
  /// Names up to here are sure; others are taken when no better one is there.
  static let sure: UInt8 = 24

  static let names = WordList([
    "timestamp", "@timestamp", "__realtime_timestamp", "time", "ts", "t", "@t", "isodate", "date",
    "datetime", "asctime", "eventtime", "event_time", "_time", "@time", "instant", "timemillis",
    "epochmillis", "log_time", "logtime", "timestampms", "timestamp_ms", "time_ms", "dt", "when",
    "created", "createdat", "created_at", "receivetimestamp", "ingestiontime", "logged_at",
    "timegenerated", "_source_realtime_timestamp", "time_local", "starttime",
  ])

  /// Its place among them; nil for any other word.
  static func rank(_ word: RawSpan) -> UInt8? { names.place(of: word).map { UInt8($0) } }

  /// The word before a colon or an equals sign, without its quotation marks.
  static func word(_ line: RawSpan, before divider: Int) -> Range<Int>? {
    let end = line.before(divider) { $0.isAroundValue }
    let start = line.before(end) { $0.isOfMemberName }
    return start < end ? start..<end : nil
  }

  /// Words that call a clock a duration.
  static func isDuration(_ word: RawSpan) -> Bool {
    durations.place(of: word) != nil
  }

  private static let durations = WordList([
    "up", "uptime", "elapsed", "duration", "took", "after", "ttl", "timeout", "age", "remaining",
    "eta", "for", "within", "mac", "every",
  ])
}
