// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// The files of Docker's `json-file` driver: each line that a container has written is a record,
/// `{"log":"text\n","stream":"stdout","time":"2026-11-20T23:34:50.123456789Z"}`, and a line of more
/// than 16 KiB is several. They are read as the lines that `kubectl` and container runtimes have of
/// the same text.
enum DockerRecords: LogCollector {
  static let name: StaticString = "docker"

  /// Bytes of a line that are in one record.
  private static let longest = 16 << 10

  /// The first line is such a record.
  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    let begin: StaticString = "{\"log\":\""
    for at in 0..<min(head.byteCount, begin.utf8CodeUnitCount)
    where head.byte(at: at) != begin.utf8Start[at] { return .no }
    return claim(head, isAll: isAll) { line, record in
      stream(line, record) != nil && record.string("time", line) != nil
    }
  }

  private static func stream(_ line: RawSpan, _ record: CollectedRecord) -> StaticString? {
    guard let stream = record.string("stream", line) else { return nil }
    let word = line.extracting(stream)
    return word.equals("stdout") ? "stdout" : word.equals("stderr") ? "stderr" : nil
  }

  static func write(
    _ line: RawSpan, _ record: CollectedRecord, _ string: inout JSONText, _ text: inout Scratch
  ) -> Bool {
    guard let stream = stream(line, record), let time = record.string("time", line) else {
      return false
    }
    string.read(whole: line.extracting(record.string("log", line) ?? 0..<0))
    let log = string.bytes.bytes
    let hasEnd = log.byteCount > 0 && log.byte(at: log.byteCount - 1) == .lineFeed
    text.append(line.extracting(time))
    text.append(.space)
    text.append(stream)
    // What Docker has cut goes on in the next record; the last line of a container may have no end.
    text.append(hasEnd || log.byteCount < Self.longest ? " F " : " P ")
    text.append(log.extracting(0..<log.byteCount - (hasEnd ? 1 : 0)))
    return true
  }
}
