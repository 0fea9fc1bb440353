// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The parts of a time as logs have them.
extension DigitReader {
  /// A blank, also a no-break space as some loggers put it before PM.
  mutating func blank() -> Bool {
    if take(.space) { return true }
    let rest = bytes.dropping(at)
    if rest.starts(with: "\u{A0}") {
      at += 2
      return true
    }
    guard rest.starts(with: "\u{202F}") else { return false }
    at += 3
    return true
  }

  /// ` AM`, ` p.m.`, ` p. m.`: the hours to be added.
  mutating func half() -> Int? {
    let begin = at
    _ = blank()
    let isLater = peek | 0x20 == UInt8(ascii: "p")
    if isLater || peek | 0x20 == UInt8(ascii: "a") {
      at += 1
      let isDotted = take(.period)
      if isDotted { _ = blank() }
      if peek | 0x20 == UInt8(ascii: "m") {
        at += 1
        if isDotted { _ = take(.period) }
        if !isLetter && !peek.isDigit { return isLater ? 12 : 0 }
      }
    }
    at = begin
    return nil
  }

  /// `Z`, `+0000`, ` +01:00`, ` UTC`, ` GMT+1`, ` CET`: seconds ahead of UTC.
  mutating func zone() -> Int? {
    let begin = at
    if (take(UInt8(ascii: "Z")) || take(UInt8(ascii: "z"))) && !isLetter { return 0 }
    at = begin
    let hasBlank = blank()
    if isLetter {
      let name = bytes.extracting(at..<at + letters)
      if let offset = LogZone.offset(name) {
        at += letters
        if name.equals("UTC") || name.equals("GMT"), let more = self.offset(isShort: true) {
          return more
        }
        return offset
      }
    } else if let offset = self.offset(isShort: !hasBlank) {
      return offset
    }
    at = begin
    return nil
  }

  /// Letters of the word that begins here, of any alphabet.
  private var letters: Int {
    var end = at
    while end < bytes.byteCount, end - at < 16 {
      let byte = bytes.byte(at: end)
      guard byte >= 0x80 || byte.isAlpha else { break }
      end += 1
    }
    return end - at
  }

  /// `Nov`, `November`, `nov.`
  mutating func month() -> Int? {
    let count = letters
    guard let month = LogCalendar.month(bytes.extracting(at..<at + count)) else { return nil }
    at += count
    _ = take(.period)
    return month
  }
}
