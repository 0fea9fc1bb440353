// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// Records of other programs that collect logs, each with one line that a program has printed:
/// Fluent Bit, FireLens, Docker's `gelf` driver, Vector, Logstash, and what CloudWatch, Loki and
/// Google Cloud answer. They are read as the lines that syslog has of the same text.
///
/// Loggers write such records, too, and say more in them: who sends, on which connection. So all
/// members have to be ones that collectors write.
enum LineRecords: LogCollector {
  static let name: StaticString = "collected"

  /// What of a record is the line, and what collectors write beside it and its time.
  private struct Form {
    var line: StaticString
    var beside: [StaticString]
  }

  private static let container: [StaticString] = [
    "container_id", "container_name", "stream", "kubernetes",
  ]
  private static let forms: [Form] = [
    // Fluent Bit; Docker's `fluentd` driver, and FireLens.
    Form(
      line: "log",
      beside: container + [
        "_p", "logtag", "source", "ecs_cluster", "ecs_task_arn", "ecs_task_definition",
        "ec2_instance_id",
      ]),
    Form(
      line: "short_message",
      beside: [
        "version", "host", "level", "facility", "_command", "_container_id", "_container_name",
        "_created", "_image_id", "_image_name", "_tag",
      ]),
    // Google Cloud.
    Form(
      line: "textPayload",
      beside: [
        "insertId", "labels", "logName", "receiveTimestamp", "resource", "severity", "trace",
        "spanId",
      ]),
    // Loki.
    Form(line: "line", beside: ["labels"]),
    // CloudWatch; Vector; Logstash.
    Form(
      line: "message",
      beside: ["ingestionTime", "eventId", "logStreamName"] + container + [
        "container_created_at", "file", "host", "image", "label", "source_type", "timestamp_end",
        "@version", "path",
      ]),
  ]

  private static let times: [StaticString] = ["timestamp", "@timestamp", "time", "date", "ts"]
  /// What names the source of a line, in the record or in an object of it.
  private static let sources: [StaticString] = [
    "container_name", "_container_name", "pod_name", "pod", "logStreamName",
  ]

  /// A record, and where its line stands.
  private struct Parts {
    var line: Range<Int>
    var time: Range<Int>?
    /// Something stands beside the line and its time, as loggers do not write it.
    var isSure = false

    /// Nil for what may be of another program.
    init?(_ bytes: RawSpan, _ record: CollectedRecord) {
      guard
        let form = forms.first(where: { record.string($0.line, bytes) != nil }),
        let line = record.string(form.line, bytes)
      else { return nil }
      self.line = line
      for (name, value) in record.members {
        let name = bytes.extracting(name)
        if name.equals(form.line) { continue }
        if times.contains(where: { name.equals($0) }) {
          time = time ?? value
        } else if form.beside.contains(where: { name.equals($0) }),
          !name.equals("stream") || isStream(bytes.extracting(value))
        {
          isSure = true
        } else {
          return nil
        }
      }
    }
  }

  private static func isStream(_ value: RawSpan) -> Bool {
    value.equals("\"stdout\"") || value.equals("\"stderr\"")
  }

  /// A record with a member that only collectors write is enough. Where records have only a line
  /// and a time, one has to continue the line above it: a logger writes messages whole.
  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    let looked = 32 << 10
    var string = JSONText()
    var start = 0
    while start < min(head.byteCount, looked) {
      let end = head.firstIndex(of: .lineFeed, from: start)
      let line = head.extracting(start..<(end ?? head.byteCount))
      let begin = line.behindSpace(0)
      if begin < line.byteCount && !isName(line, begin) {
        if line.byte(at: begin) != .openBrace { return .no }
        if end == nil && !isAll { break }
        // What stays as it is would be taken for such records once more.
        var text = Scratch()
        guard let record = CollectedRecord(line), let parts = Parts(line, record),
          write(line, record, &string, &text)
        else { return .no }
        if parts.isSure || goesOn(string.bytes.bytes) { return .yes }
      }
      start = (end ?? head.byteCount) + 1
    }
    return isAll || head.byteCount >= looked ? .no : .undecided
  }

  /// Whether a line is what is left of a list around records, `"events":`.
  private static func isName(_ line: RawSpan, _ start: Int) -> Bool {
    guard line.byte(at: start) == .quote, let colon = line.firstIndex(of: .colon) else {
      return false
    }
    return line.behindSpace(colon + 1) == line.byteCount
  }

  /// Whether a line is of something that began above it: it is indented, or ends that.
  private static func goesOn(_ line: RawSpan) -> Bool {
    guard line.byteCount > 1 || !line.isEmpty && line.byte(at: 0) != .space else { return false }
    return [.space, .tab, .closeBrace, .closeBracket].contains(line.byte(at: 0))
  }

  static func write(
    _ line: RawSpan, _ record: CollectedRecord, _ string: inout JSONText, _ text: inout Scratch
  ) -> Bool {
    guard let parts = Parts(line, record) else { return false }
    guard appendHead(line, record, parts.time, &text) else { return false }
    string.read(whole: line.extracting(parts.line))
    let bytes = string.bytes.bytes
    let isEnded = bytes.byteCount > 0 && bytes.byte(at: bytes.byteCount - 1) == .lineFeed
    let content = bytes.extracting(0..<bytes.byteCount - (isEnded ? 1 : 0))
    // Several lines in one record are whole as it is.
    if content.firstIndex(of: .lineFeed) != nil { return false }
    text.append(content)
    return true
  }

  /// `2026-11-20T23:34:50.123Z host name[-]: `, or what of that is known.
  ///
  /// - Returns: false for a time that cannot be read.
  private static func appendHead(
    _ line: RawSpan, _ record: CollectedRecord, _ time: Range<Int>?, _ text: inout Scratch
  ) -> Bool {
    let host = record.string("host", line)
    let source = source(line, record, depth: 0)
    if let time {
      guard CollectedTime.append(line.extracting(time), to: &text) else { return false }
      text.append(.space)
    }
    if host == nil && source == nil { return true }
    if time != nil {
      append(line, host, &text)
      text.append(.space)
    }
    append(line, source ?? (time == nil ? host : nil), &text)
    // Without a time, as Docker Compose writes it.
    text.append(time == nil ? " | " : "[-]: ")
    return true
  }

  /// A name without what may not stand in one.
  private static func append(_ line: RawSpan, _ name: Range<Int>?, _ text: inout Scratch) {
    guard let name, !name.isEmpty else { return text.append(.hyphen) }
    // Docker's names begin with a slash.
    for at in name where at > name.lowerBound || line.byte(at: at) != .slash {
      let byte = line.byte(at: at)
      text.append(byte.isAlpha || byte.isDigit || byte == .period ? byte : .hyphen)
    }
  }

  private static func source(
    _ line: RawSpan, _ record: CollectedRecord, depth: Int
  ) -> Range<Int>? {
    for name in sources {
      if let found = record.string(name, line) { return found }
    }
    if depth > 1 { return nil }
    for value in record.values where line.byte(at: value.lowerBound) == .openBrace {
      let object = line.extracting(value)
      guard let inner = CollectedRecord(object),
        let found = source(object, inner, depth: depth + 1)
      else { continue }
      return value.lowerBound + found.lowerBound..<value.lowerBound + found.upperBound
    }
    return nil
  }
}
