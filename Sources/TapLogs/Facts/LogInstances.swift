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

  /// Whether a word is the stream that a program of Cloud Foundry prints to,
  /// `[APP/PROC/WEB/0] OUT `: it does not say who sends.
  static func isStream(_ line: RawSpan, _ start: Int) -> Bool {
    guard start > 4, line.byte(at: start - 1) == .space, line.byte(at: start - 2) == .closeBracket
    else { return false }
    let digits = line.beforeDigits(start - 2)
    return digits < start - 2 && digits > 1 && line.byte(at: digits - 1) == .slash
      && line.byte(at: digits - 2).isUppercase
  }

  /// `[APP/PROC/WEB/0] OUT ` of Cloud Foundry.
  private static func service(_ line: RawSpan, _ start: Int) -> Range<Int>? {
    guard let name = bracket(line, start), name.upperBound + 2 < line.byteCount,
      isStream(line, name.upperBound + 2)
    else { return nil }
    let stream = line.dropping(name.upperBound + 2)
    return stream.starts(with: "OUT ") || stream.starts(with: "ERR ") ? name : nil
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

  /// `app[web.1]: ` of Heroku, `app[148e21] ams ` of Fly.io.
  private static func machine(_ line: RawSpan, _ start: Int) -> Range<Int>? {
    let open = line.behind(start) { $0.isLowercase }
    guard open > start, !LogSources.isNameOfLevel(line.extracting(start..<open)),
      let name = bracket(line, open), name.contains(where: { line.byte(at: $0).isDigit })
    else { return nil }
    return start..<name.upperBound + 1
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
