// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// The times of a log's lines: finds them, whatever their notation, and counts midnights where they
/// have no date.
struct LogClock {
  /// The worst that was found.
  private(set) var gap = LogTime.Gap.nothing
  /// The coarsest clock that was found, in decimal digits of a second; nil without any.
  private(set) var precision: UInt8?
  /// What was said of it.
  var told = LogTime.Gap.nothing
  private var midnights: Int64 = 0
  private var last = Int64.min
  private var seconds = LogSeconds()

  /// How far into a line a time is looked for.
  private static let furthest = 256

  /// The time of a line, in what stands before its message, or behind it in a record of JSON.
  mutating func time(_ prefix: RawSpan, _ suffix: RawSpan) -> LogTime? {
    guard var found = find(prefix) ?? Self.field(suffix) else { return nil }
    gap = max(gap, found.gap)
    precision = min(precision ?? 9, found.precision)
    if found.gap == .date { found.time.nanoseconds = dated(found.time.nanoseconds) }
    return found
  }

  /// Of times without a date one is after midnight that is half a day or more behind the last.
  private mutating func dated(_ time: Int64) -> Int64 {
    let day: Int64 = 86_400_000_000_000
    if last != .min && time < last - day / 2 { midnights += 1 }
    last = time
    return time + midnights * day
  }

  /// Whether a line begins with a time, and so is no continuation of the one before.
  static func begins(_ line: RawSpan) -> Bool {
    guard line.byteCount >= 8 else { return false }
    let first = line.byte(at: 0)
    guard first &- 0x30 < 10 || first == 0x5B || first &- 0x41 < 26 else { return false }
    return LogTimeReader.read(line, first == 0x5B ? 1 : 0, isStart: true) != nil
  }

  /// The first time in a line before its message.
  private mutating func find(_ prefix: RawSpan) -> LogTime? {
    let count = min(prefix.byteCount, Self.furthest)
    var mayBegin = true
    var at = 0
    while at < count {
      let byte = prefix.byte(at: at)
      if mayBegin, byte &- 0x30 < 10, let seconds = seconds.read(prefix, at),
        let found = LogTimeReader.read(prefix, at, behind: seconds)
      {
        return found
      }
      if mayBegin, byte &- 0x30 < 10 || byte &- 0x41 < 26 {
        // Only a bare number of ten digits has to be called a time.
        let isLong = at + 9 < prefix.byteCount && prefix.byte(at: at + 9) &- 0x30 < 10
        let isStart = at == 0 || isLong && Self.isKey(prefix, at)
        if let found = LogTimeReader.read(prefix, at, isStart: isStart) { return found }
      }
      mayBegin = !(byte &- 0x30 < 10 || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte == 0x2E)
      at += 1
    }
    return nil
  }

  /// The time of a record of JSON that stands behind its message: `,"time":"…"`.
  private static func field(_ suffix: RawSpan) -> LogTime? {
    let near = suffix.extracting(0..<min(suffix.byteCount, furthest * 4))
    for at in 0..<near.byteCount where near.byte(at: at) &- 0x30 < 10 && isKey(near, at) {
      if let found = LogTimeReader.read(near, at, isStart: true) { return found }
    }
    return nil
  }

  /// Whether what stands there is the value of something that is called a time, or is at the
  /// beginning behind a bracket.
  private static func isKey(_ line: RawSpan, _ at: Int) -> Bool {
    var end = at
    while end > 0, isDivider(line.byte(at: end - 1)) { end -= 1 }
    if end == 0 { return true }
    if end == at { return false }
    var start = end
    while start > 0, LiteralReader.isWord(line.byte(at: start - 1)) { start -= 1 }
    // A date has a form of its own; only a bare number needs to be called a time.
    let word = line.extracting(start..<end)
    return names.contains { word.equals($0) }
  }

  private static let names: [StaticString] = [
    "ts", "time", "timestamp", "t", "date", "@timestamp", "datetime", "Time", "Timestamp",
    "asctime", "when", "created",
  ]

  /// What stands between the name of a value and the value.
  private static func isDivider(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x22, 0x27, 0x3A, 0x3D, 0x5B: true
    default: false
    }
  }
}
