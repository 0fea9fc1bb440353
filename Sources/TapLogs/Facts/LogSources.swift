// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// Who wrote each line, where one log is gathered from several: containers, files, processes. The
/// first process that is found has no name, as most logs have only one.
struct LogSources {
  /// How many bytes of a line are looked at, and how long a name may be.
  private static let furthest = 192
  private static let longest = 128

  /// What names the source of a line.
  private enum Kind: UInt8 {
    case nothing
    /// What a collector puts before each line.
    case prefix
    /// `Nov 20 23:34:50 host program[100]: `
    case syslog
    /// `11-20 23:34:50.123  1234  5678 D Tag: `, and others with nothing but a number.
    case process
  }

  /// The first process of each kind.
  private var first: [UInt8: String] = [:]
  /// What lines are of until something else is named: a file, by `==> app.log <==` of tail, or a
  /// TCP stream.
  private(set) var heading = ""

  /// The name of the source of a line, empty for the first process; nil where it names none.
  mutating func name(_ line: RawSpan, _ start: Int) -> String? {
    let near = line.extracting(0..<min(start, Self.furthest))
    let (kind, range) = Self.find(near)
    if kind == .nothing { return nil }
    let length = min(range.count, Self.longest)
    let text = near.extracting(range.lowerBound..<range.lowerBound + length)
    let name = String(decoding: text.copied(), as: Unicode.UTF8.self)
    if kind == .prefix { return name }
    return process(kind == .process ? "process \(name)" : name, kind.rawValue)
  }

  /// The name of a process, unless it is the first.
  mutating func process(_ name: String, _ kind: UInt8 = .max) -> String {
    guard let first = first[kind] else {
      first[kind] = name
      return heading
    }
    return first == name ? heading : name
  }

  /// `==> app.log <==`, `[Stream index: 3]`
  mutating func note(heading line: RawSpan) {
    if let name = Self.heading(line) {
      heading = String(decoding: name.copied(), as: Unicode.UTF8.self)
    } else if let stream = DissectedLine.stream(line) {
      heading = "stream \(String(decoding: stream.copied(), as: Unicode.UTF8.self))"
    }
  }

  /// The name in a heading of tail; nil for any other line.
  @_lifetime(copy line)
  static func heading(_ line: RawSpan) -> RawSpan? {
    let end = line.beforeSpace(line.byteCount)
    guard end > 8, end < 256, line.starts(with: "==> "),
      line.dropping(end - 4).starts(with: " <==")
    else { return nil }
    return line.extracting(4..<end - 4)
  }

  /// Whether two lines name who wrote them, and these are not the same.
  static func areDifferent(_ line: RawSpan, _ other: RawSpan) -> Bool {
    guard let writer = writer(line), let otherWriter = Self.writer(other) else { return false }
    return !line.extracting(writer).equals(other.extracting(otherWriter))
  }

  /// Who wrote a line; nil where it names nobody.
  static func writer(_ line: RawSpan) -> Range<Int>? {
    let (kind, name) = find(line.extracting(0..<min(line.byteCount, furthest)))
    return kind == .nothing ? nil : name
  }

  /// Whether a line is one of syslog.
  static func isSyslog(_ line: RawSpan) -> Bool {
    find(line.extracting(0..<min(line.byteCount, furthest))).0 == .syslog
  }

  private static func find(_ line: RawSpan) -> (Kind, Range<Int>) {
    if let (name, _) = LinePrefix.find(line) { return (.prefix, name) }
    // Those of Cloud Foundry are indented.
    let begin = line.behindBlanks(LinePrefix.behindPriority(line))
    guard begin < line.byteCount,
      let time = LogTimeReader.read(line, begin, isStart: false), time.end < line.byteCount
    else { return (.nothing, 0..<0) }
    if let process = LogProcesses.number(line, time.end) {
      return (.process, process)
    }
    if let process = syslog(line, begin, time) { return (.syslog, process) }
    let isWhole = time.day == .whole && time.offset != nil
    if let name = LogInstances.name(line, behind: time.end, isWhole: isWhole) {
      return (.prefix, name)
    }
    return (.nothing, 0..<0)
  }

  /// The host and the program of a line of syslog (RFC 3164 §4.1, RFC 5424 §6).
  private static func syslog(_ line: RawSpan, _ begin: Int, _ time: LogTime) -> Range<Int>? {
    // Syslog writes the month by its name (RFC 3164), or an ISO 8601 time with a zone (RFC 5424).
    let isLettered = line.byte(at: begin).isAlpha
    let isNamed = isLettered && time.precision == 0
    // `journalctl -o short-precise`
    let isPrecise = isLettered && time.precision == 6
    let isWhole =
      begin + 10 < line.byteCount && line.byte(at: begin + 10) == UInt8(ascii: "T")
      && time.offset != nil
    guard isNamed || isPrecise || isWhole, let host = word(line, time.end),
      !isLevel(line.extracting(host)),
      // The time of a program, behind the one that `ts` put before its line.
      LogTimeReader.read(line, host.lowerBound, isStart: false) == nil,
      let program = word(line, host.upperBound)
    else { return nil }
    // `host program 4711 - `, after a priority and a version
    if begin > 0, let process = word(line, program.upperBound), isWhole,
      process.allSatisfy({ line.byte(at: $0).isDigit })
    {
      return host.lowerBound..<process.upperBound
    }
    let end = program.upperBound - 1
    guard end > program.lowerBound, line.byte(at: end) == .colon else { return nil }
    if line.byte(at: end - 1) == .closeBracket { return host.lowerBound..<end }
    // Without a process id, a time as in RFC 3164 shows that the first word is a host, or one as
    // rsyslog writes it into files; others have that, too: `… client received: `.
    let isOfFile = isWhole && time.precision == 6 && line.byte(at: time.end - 1).isDigit
    let isProgram =
      LogDirectionWords.direction(line.extracting(0..<program.upperBound)) == nil
      && !isNameOfLevel(line.extracting(program.lowerBound..<end))
    return (isNamed || isOfFile) && isProgram ? host.lowerBound..<end : nil
  }

  private static func word(_ line: RawSpan, _ start: Int) -> Range<Int>? {
    guard start + 1 < line.byteCount, line.byte(at: start) == .space else { return nil }
    let end = line.behind(start + 1) { $0 > 0x20 }
    return end > start + 1 ? start + 1..<end : nil
  }

  private static func isLevel(_ word: RawSpan) -> Bool {
    isNameOfLevel(word) || word.byte(at: 0) == .openBracket
  }

  /// Whether a word says how severe a line is, however it is written.
  static func isNameOfLevel(_ word: RawSpan) -> Bool {
    levels.contains { LogDirectionWords.isSame(word, $0) }
  }

  private static let levels: [StaticString] = [
    "trace", "debug", "info", "notice", "warn", "warning", "error", "fatal", "verbose",
  ]
}
