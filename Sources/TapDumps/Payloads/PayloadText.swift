// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// A payload that was printed as text.
enum PayloadText {
  /// What stands in rows behind two blanks, in one; blanks that fill up the last are left out.
  static func unwrapped(_ rows: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    for row in rows.split(separator: .lineFeed, omittingEmptySubsequences: false) {
      text += row.dropFirst(2)
    }
    while text.last == .space { text.removeLast() }
    return text
  }

  /// Heads of HTTP with line feeds where CR and LF, or CR alone, were printed as dots.
  static func lines(_ text: [UInt8]) -> [UInt8] {
    guard text.starts(with: "GET ".utf8) || text.starts(with: "HTTP/1.".utf8) else { return text }
    let hasLines = text.contains(.lineFeed)
    let ending: [UInt8] = hasLines ? [PrintedOctet.dot, .lineFeed] : Array("..".utf8)
    let end = text.firstRange(of: ending + ending)?.upperBound ?? text.count
    var (lines, at): ([UInt8], Int) = ([], 0)
    while at < end {
      if text[at...].starts(with: ending) {
        lines.append(.lineFeed)
        at += ending.count
      } else {
        lines.append(text[at])
        at += 1
      }
    }
    return lines + text[end...]
  }
}
