// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// Lines that have nothing but the time and the place of the one below.
enum LogHead {
  /// `Nov 20, 2026 11:34:50 PM com.example.Ws onMessage`, above `INFO: …`, of java.util.logging,
  /// and `=DEBUG REPORT==== 1-Dec-2026::10:18:47.397461 ===` of Erlang.
  static func isHead(_ before: RawSpan, of line: RawSpan) -> Bool {
    let count = before.beforeSpace(before.byteCount)
    if before.starts(with: "="), LogMarks.last(" REPORT==== ", in: before) != nil {
      return count > 4 && before.dropping(count - 4).starts(with: " ===")
    }
    guard count >= 16, isLevel(line), let time = LogTimeReader.read(before, 0, isStart: false),
      time.end < count, before.byte(at: time.end) == .space
    else { return false }
    // A class and a method.
    let name = before.extracting(time.end + 1..<count)
    let blanks = (0..<name.byteCount).count { name.byte(at: $0) == .space }
    return blanks == 1 && name.firstIndex(of: .colon) == nil
      && name.firstIndex(of: .openBracket) == nil
  }

  /// Whether a line begins with a level, in capitals or in another alphabet, and a colon.
  private static func isLevel(_ line: RawSpan) -> Bool {
    guard let colon = line.firstIndex(of: .colon), (3...24).contains(colon) else { return false }
    return (0..<colon).allSatisfy {
      line.byte(at: $0).isUppercase || line.byte(at: $0) >= 0x80 || line.byte(at: $0) == .space
    }
  }
}
