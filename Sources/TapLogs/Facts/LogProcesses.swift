// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Process ids, as operating systems' logs have them behind the time of a line.
enum LogProcesses {
  /// The longest name before a process id, in bytes.
  private static let longest = 64

  /// Where the number stands; nil where there is none.
  static func number(_ line: RawSpan, _ start: Int) -> Range<Int>? {
    let at = line.behindBlanks(start)
    guard at > start, at < line.byteCount else { return nil }
    return threads(line, at) ?? studio(line, at) ?? brief(line, at) ?? apple(line, at)
  }

  /// ` 4000  4012 D Tag: ` of `logcat -v threadtime`.
  private static func threads(_ line: RawSpan, _ start: Int) -> Range<Int>? {
    guard let process = digits(line, start) else { return nil }
    var at = process.upperBound
    while byte(line, at) == .space { at += 1 }
    guard at > process.upperBound, let thread = digits(line, at),
      byte(line, thread.upperBound) == .space, byte(line, thread.upperBound + 1).isUppercase,
      byte(line, thread.upperBound + 2) == .space
    else { return nil }
    return process
  }

  /// `4000-4012/com.example.app D/Tag: `, and the same with blanks, of Android Studio.
  private static func studio(_ line: RawSpan, _ start: Int) -> Range<Int>? {
    guard let process = digits(line, start), byte(line, process.upperBound) == .hyphen,
      let thread = digits(line, process.upperBound + 1)
    else { return nil }
    let end = byte(line, thread.upperBound)
    return end == .slash || end == .space ? process : nil
  }

  /// `D/Tag( 4000): ` of `logcat -v time`.
  private static func brief(_ line: RawSpan, _ start: Int) -> Range<Int>? {
    guard line.byte(at: start).isUppercase, byte(line, start + 1) == .slash,
      let open = line.firstIndex(of: UInt8(ascii: "("), from: start), open - start < longest
    else { return nil }
    var at = open + 1
    while byte(line, at) == .space { at += 1 }
    guard let process = digits(line, at), byte(line, process.upperBound) == UInt8(ascii: ")"),
      byte(line, process.upperBound + 1) == .colon
    else { return nil }
    return process
  }

  /// `App[4321:98765] ` of NSLog.
  private static func apple(_ line: RawSpan, _ start: Int) -> Range<Int>? {
    guard let open = line.firstIndex(of: .openBracket, from: start), open > start,
      open - start < longest,
      let process = digits(line, open + 1), byte(line, process.upperBound) == .colon,
      let thread = digits(line, process.upperBound + 1),
      byte(line, thread.upperBound) == .closeBracket
    else { return nil }
    return process
  }

  private static func digits(_ line: RawSpan, _ start: Int) -> Range<Int>? {
    var end = start
    while byte(line, end).isDigit { end += 1 }
    return end > start ? start..<end : nil
  }

  /// 0 behind the end.
  private static func byte(_ line: RawSpan, _ at: Int) -> UInt8 {
    at < line.byteCount ? line.byte(at: at) : 0
  }
}
