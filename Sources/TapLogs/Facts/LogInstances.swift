// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Names of instances of a program, as platforms put them before each line that they collect.
enum LogInstances {
  /// The longest name, in bytes.
  private static let longest = 128

  /// The name of a pod and of a container at the beginning of a line, and where the text begins:
  /// `[pod/chat-7d4b9c6f5-x2bcd/app] ` of `kubectl logs --prefix`, `chat-7d4b9c6f5-x2bcd app ` of
  /// stern, which puts the namespace first where it asks all of them.
  static func pod(_ line: RawSpan) -> (name: Range<Int>, end: Int)? {
    if line.starts(with: "[pod/"), let name = bracket(line, 0) {
      return (name, min(line.byteCount, name.upperBound + 2))
    }
    guard let first = label(line, 0) else { return nil }
    return container(line, of: 0..<first)
      ?? label(line, first + 1).flatMap { container(line, of: first + 1..<$0) }
  }

  /// The same of stern, where a pod is the last or the only word before its container.
  private static func container(_ line: RawSpan, of pod: Range<Int>) -> (Range<Int>, end: Int)? {
    guard let name = label(line, pod.upperBound + 1),
      LogDirectionWords.direction(ofWhole: line.extracting(pod.upperBound + 1..<name)) == nil,
      !LogSources.isNameOfLevel(line.extracting(pod.upperBound + 1..<name)),
      isOfReplicas(line.extracting(pod))
        || isNumbered(line, pod.upperBound) && beginsTime(line, name + 1)
    else { return nil }
    return (0..<name, name + 1)
  }

  /// Where a name of Kubernetes ends that a blank follows; nil where none begins.
  private static func label(_ line: RawSpan, _ start: Int) -> Int? {
    let end = line.behind(start, to: min(line.byteCount, start + longest)) {
      $0.isLowercase || $0.isDigit || $0 == .hyphen || $0 == .period
    }
    return end > start && end < line.byteCount && line.byte(at: end) == .space ? end : nil
  }

  /// Whether a name is that of a pod of a Deployment, `chat-7d4b9c6f5-x2bcd`: it ends with the
  /// hash of a template and five characters more.
  private static func isOfReplicas(_ name: RawSpan) -> Bool {
    let suffix = name.before(name.byteCount) { $0.isLowercase || $0.isDigit }
    guard name.byteCount - suffix == 5, suffix > 0, name.byte(at: suffix - 1) == .hyphen else {
      return false
    }
    let hash = name.before(suffix - 1) { $0.isLowercase || $0.isDigit }
    return (8...10).contains(suffix - 1 - hash) && hash > 1 && name.byte(at: hash - 1) == .hyphen
      && (hash..<suffix - 1).contains { name.byte(at: $0).isDigit }
  }

  /// Whether a word ends with a number or a suffix behind a hyphen, `chat-0`, `agent-x2b4d`.
  private static func isNumbered(_ line: RawSpan, _ end: Int) -> Bool {
    let suffix = line.before(end) { $0.isLowercase || $0.isDigit }
    return suffix > 1 && line.byte(at: suffix - 1) == .hyphen
      && (suffix..<end).contains { line.byte(at: $0).isDigit }
  }

  private static func beginsTime(_ line: RawSpan, _ start: Int) -> Bool {
    LogTimeReader.read(line, start, isStart: true)?.day == .whole
  }

  /// The name behind the time of a line.
  ///
  /// - Parameter isWhole: the time has a date and a zone.
  static func name(_ line: RawSpan, behind end: Int, isWhole: Bool) -> Range<Int>? {
    let at = line.behindBlanks(end)
    guard at > end, at < line.byteCount else { return nil }
    return service(line, at) ?? process(line, at, isWhole: isWhole)
      ?? (isWhole ? machine(line, at) ?? stream(line, at) : nil)
  }

  /// What of Cloud Foundry writes a line, as its names begin.
  private static let parts: [StaticString] = [
    "[APP/", "[RTR/", "[STG/", "[API/", "[CELL/", "[SSH/", "[LGR/", "[PROXY/",
  ]

  /// Whether a word is the stream that a program of Cloud Foundry prints to,
  /// `2026-11-20T23:34:50.12+0100 [APP/PROC/WEB/0] OUT `: it does not say who sends.
  static func isStream(_ line: RawSpan, _ start: Int) -> Bool {
    let stream = line.dropping(start)
    guard stream.starts(with: "OUT ") || stream.starts(with: "ERR ") else { return false }
    let name = line.before(start, from: max(0, start - longest)) { $0 != .openBracket }
    guard name > 0, let end = bracket(line, name - 1)?.upperBound, end + 2 == start else {
      return false
    }
    let part = line.dropping(name - 1)
    return parts.contains { part.starts(with: $0) } && isBehindZone(line, name - 1)
  }

  /// Whether the zone of a time stands right before a place, `+0100 `, or before what is there of
  /// the line.
  private static func isBehindZone(_ line: RawSpan, _ start: Int) -> Bool {
    if start < 6 { return true }
    guard line.byte(at: start - 1) == .space else { return false }
    let sign = line.byte(at: start - 6)
    return line.beforeDigits(start - 1, from: start - 6) == start - 5
      && (sign == UInt8(ascii: "+") || sign == .hyphen)
  }

  /// `[APP/PROC/WEB/0] OUT ` of Cloud Foundry.
  private static func service(_ line: RawSpan, _ start: Int) -> Range<Int>? {
    guard let name = bracket(line, start), name.upperBound + 2 < line.byteCount,
      isStream(line, name.upperBound + 2)
    else { return nil }
    return name
  }

  /// `web.1    | ` of foreman, `web-1  | ` of Docker Compose behind the time of a CI, and the names
  /// of Swarm. Behind a time without a zone, `Thread-1 | ` is no instance.
  private static func process(_ line: RawSpan, _ start: Int, isWhole: Bool) -> Range<Int>? {
    guard let (name, _) = LinePrefix.column(line, start) else { return nil }
    let number = line.beforeDigits(name.upperBound, from: name.lowerBound)
    let isNumbered =
      number < name.upperBound && number > name.lowerBound
      && (line.byte(at: number - 1) == .period || isWhole && line.byte(at: number - 1) == .hyphen)
    let isOfSwarm = name.contains { line.byte(at: $0) == UInt8(ascii: "@") }
    return isNumbered || isOfSwarm ? name : nil
  }

  /// The log stream of an instance, as `aws logs tail` prints it: `ecs/web/0a1b…`, with the id of a
  /// task, `2026/11/20/[$LATEST]0a1b…` of a function, `i-0a1b…` of a machine.
  private static func stream(_ line: RawSpan, _ start: Int) -> Range<Int>? {
    let end = line.behind(start, to: min(line.byteCount, start + longest)) { $0 > 0x20 }
    guard end < line.byteCount, line.byte(at: end) == .space else { return nil }
    let id = line.before(end, from: start) { $0.isHexDigit }
    let isOfMachine = end - id == 17 && id == start + 2 && line.dropping(start).starts(with: "i-")
    let isOfTask =
      end - id == 32 && id > start
      && (line.byte(at: id - 1) == .slash || line.byte(at: id - 1) == .closeBracket)
    return isOfMachine || isOfTask ? start..<end : nil
  }

  /// `app[web.1]: ` of Heroku, `app[148e21] ams [info] ` of Fly.io.
  private static func machine(_ line: RawSpan, _ start: Int) -> Range<Int>? {
    let source: StaticString = "app"
    let open = start + source.utf8CodeUnitCount
    guard line.dropping(start).starts(with: source), let name = bracket(line, open) else {
      return nil
    }
    let behind = line.dropping(name.upperBound + 1)
    return behind.starts(with: ": ") && isDyno(line.extracting(name))
      || isRegion(behind) && isMachine(line.extracting(name)) ? start..<name.upperBound + 1 : nil
  }

  /// `web.1`
  private static func isDyno(_ name: RawSpan) -> Bool {
    let number = name.beforeDigits(name.byteCount)
    return number < name.byteCount && number > 1 && name.byte(at: number - 1) == .period
      && name.byte(at: 0).isLowercase
  }

  /// `148e21ea7e46e8`: a number in hexadecimal, not one that counts.
  private static func isMachine(_ name: RawSpan) -> Bool {
    var (hasLetter, hasDigit) = (false, false)
    for at in 0..<name.byteCount {
      let byte = name.byte(at: at)
      if !byte.isHexDigit { return false }
      if byte.isDigit { hasDigit = true } else { hasLetter = true }
    }
    return hasLetter && hasDigit
  }

  /// ` ams [info]`: a place, and how severe the line is.
  private static func isRegion(_ text: RawSpan) -> Bool {
    guard text.byteCount > 6, text.byte(at: 0) == .space else { return false }
    return text.behind(1) { $0.isLowercase } == 4 && text.byte(at: 4) == .space
      && text.byte(at: 5) == .openBracket && text.byte(at: 6).isLowercase
  }

  /// What stands in a bracket that a blank or a colon follows: one name.
  private static func bracket(_ line: RawSpan, _ open: Int) -> Range<Int>? {
    guard open < line.byteCount, line.byte(at: open) == .openBracket else { return nil }
    let end = line.behind(open + 1, to: min(line.byteCount, open + longest)) {
      $0.isOfName || $0 == .slash
    }
    guard end > open + 1, end + 1 < line.byteCount, line.byte(at: end) == .closeBracket,
      line.byte(at: end + 1) == .space || line.byte(at: end + 1) == .colon
    else { return nil }
    return open + 1..<end
  }
}
