// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Names of instances of a program, as platforms put them before each line that they collect.
enum LogInstances {
  /// The longest name, in bytes.
  private static let longest = 128

  /// `[pod/chat-7d4b9c6f5-abcde/app] ` of `kubectl logs --prefix`, at the beginning of a line.
  static func pod(_ line: RawSpan) -> Range<Int>? {
    line.starts(with: "[pod/") ? bracket(line, 0) : nil
  }

  /// The name behind the time of a line.
  ///
  /// - Parameter isWhole: the time has a date and a zone.
  static func name(_ line: RawSpan, behind end: Int, isWhole: Bool) -> Range<Int>? {
    let at = line.behindBlanks(end)
    guard at > end, at < line.byteCount else { return nil }
    return service(line, at) ?? process(line, at) ?? (isWhole ? machine(line, at) : nil)
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

  /// `web.1    | ` of foreman.
  private static func process(_ line: RawSpan, _ start: Int) -> Range<Int>? {
    let name = start..<line.behind(start) { $0.isOfName }
    let number = line.beforeDigits(name.upperBound, from: name.lowerBound)
    let bar = line.behindBlanks(name.upperBound)
    guard number < name.upperBound, number > name.lowerBound, bar > name.upperBound,
      line.byte(at: number - 1) == .period, line.dropping(bar).starts(with: "| ")
    else { return nil }
    return name
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
