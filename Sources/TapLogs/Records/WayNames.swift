// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Members of records that say who sends a message: what they are called, and what they say.
enum WayNames {
  /// The best first. What is called by the last ones may be anything else.
  private static let names: [StaticString] = [
    "direction", "dir", "way", "flow", "type", "event", "action", "op", "kind",
  ]
  /// Members that are true or false, and what they say then.
  private static let flags: [(name: StaticString, yes: LogRule.Way, no: LogRule.Way)] = [
    ("from_client", .toServer, .toClient), ("fromclient", .toServer, .toClient),
    ("outgoing", .sent, .received), ("incoming", .received, .sent),
  ]
  /// Words beside those that stand before messages.
  private static let ends: [(word: StaticString, way: LogRule.Way)] = [
    ("toserver", .toServer), ("to_server", .toServer), ("client_to_server", .toServer),
    ("client->server", .toServer), ("c2s", .toServer), ("toclient", .toClient),
    ("to_client", .toClient), ("server_to_client", .toClient), ("server->client", .toClient),
    ("s2c", .toClient),
  ]
  private static let longest = 20

  /// How good a name is; nil for any other.
  static func rank(_ name: RawSpan) -> Int? {
    names.firstIndex { LogDirectionWords.isSame(name, $0) }
      ?? flags.firstIndex { LogDirectionWords.isSame(name, $0.name) }.map { names.count + $0 }
  }

  /// The word behind a divider.
  static func value(_ line: RawSpan, _ divider: Int) -> Range<Int>? {
    var start = divider
    // `=>`
    if start < line.byteCount, line.byte(at: start) == 0x3E, line.byte(at: start - 1) == 0x3D {
      start += 1
    }
    while start < line.byteCount, LogTimeNames.isFiller(line.byte(at: start)) { start += 1 }
    var end = start
    while end < line.byteCount, end - start <= longest, !isEnd(line.byte(at: end)) { end += 1 }
    return end > start && end - start <= longest ? start..<end : nil
  }

  private static func isEnd(_ byte: UInt8) -> Bool {
    LogTimeNames.isFiller(byte) || byte == 0x2C || byte == 0x7D || byte == 0x5D
  }

  /// What the value of a member with such a name says; nil for anything but who sends.
  static func way(_ rank: Int, _ value: RawSpan) -> LogRule.Way? {
    if rank >= names.count {
      let flag = flags[rank - names.count]
      if LogDirectionWords.isSame(value, "true") { return flag.yes }
      return LogDirectionWords.isSame(value, "false") ? flag.no : nil
    }
    return LogDirectionWords.all.first { LogDirectionWords.isSame(value, $0.word) }?.way
      ?? ends.first { LogDirectionWords.isSame(value, $0.word) }?.way
  }
}
