// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// What `journalctl -o json` prints: each line that a service has written is a record. They are
/// read as the lines that `journalctl -o short-iso-precise` prints of them.
enum JournalRecords: LogCollector {
  static let name: StaticString = "journal"

  /// The first line is a record with a time as only the journal has it.
  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    guard head.byteCount > 1 else {
      return isAll || !head.isEmpty && head.byte(at: 0) != .openBrace ? .no : .undecided
    }
    guard head.byte(at: 0) == .openBrace, head.byte(at: 1) == .quote || head.byte(at: 1) == .space
    else {
      return .no
    }
    return claim(head, isAll: isAll) { line, record in
      time(line, record) != nil && record.value("MESSAGE", line) != nil
    }
  }

  /// When the journal took it, in microseconds of the Unix epoch.
  private static func time(_ line: RawSpan, _ record: CollectedRecord) -> UInt64? {
    guard let digits = record.string("__REALTIME_TIMESTAMP", line), digits.count == 16 else {
      return nil
    }
    return UInt64(String(decoding: line.extracting(digits).copied(), as: Unicode.UTF8.self))
  }

  static func write(
    _ line: RawSpan, _ record: CollectedRecord, _ string: inout JSONText, _ text: inout Scratch
  ) -> Bool {
    guard let time = time(line, record), let message = record.value("MESSAGE", line) else {
      return false
    }
    let fraction = "\(time % 1_000_000)"
    CollectedTime.append(
      Int(time / 1_000_000),
      fraction: String(repeating: "0", count: 6 - fraction.utf8.count) + fraction, to: &text)
    text.append(.space)
    append(line, record.string("_HOSTNAME", line), or: "-", &string, &text)
    text.append(.space)
    let name = record.string("SYSLOG_IDENTIFIER", line) ?? record.string("_COMM", line)
    append(line, name, or: "-", &string, &text)
    if let process = record.string("_PID", line) ?? record.string("SYSLOG_PID", line) {
      text.append("[")
      append(line, process, or: "", &string, &text)
      text.append("]")
    }
    text.append(": ")
    if line.byte(at: message.lowerBound) == .openBracket {
      appendOctets(line.extracting(message), &text)
    } else if line.byte(at: message.lowerBound) == .quote {
      append(line, record.string("MESSAGE", line), or: "", &string, &text)
    }
    return true
  }

  /// journalctl prints null for a field of more than 4,096 bytes, unless it is told otherwise.
  static func omits(_ line: RawSpan, _ record: CollectedRecord) -> Bool {
    record.value("MESSAGE", line).map { line.extracting($0).equals("null") } == true
  }

  private static func append(
    _ line: RawSpan, _ content: Range<Int>?, or other: StaticString, _ string: inout JSONText,
    _ text: inout Scratch
  ) {
    guard let content else { return text.append(other) }
    string.read(whole: line.extracting(content))
    text.append(string.bytes.bytes)
  }

  /// What is no UTF-8 is a list of bytes.
  private static func appendOctets(_ list: RawSpan, _ text: inout Scratch) {
    var octet: UInt16?
    for at in 0..<list.byteCount {
      let digit = list.byte(at: at) &- 0x30
      if digit < 10 {
        octet = min((octet ?? 0) * 10 + UInt16(digit), 999)
      } else if let value = octet {
        text.append(UInt8(truncatingIfNeeded: value))
        octet = nil
      }
    }
  }
}
