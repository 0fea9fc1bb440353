// SPDX-License-Identifier: Apache-2.0

/// What a terminal makes of text: columns, not bytes.
extension RawSpan {
  /// Columns that the text behind `start` takes in a terminal; colours take none.
  public func columns(from start: Int = 0) -> Int {
    var (at, columns) = simpleColumns(from: start)
    // The first byte of a character that the last eight cut was counted with them.
    while at > start, at < byteCount, byte(at: at) & 0xC0 == 0x80 { at &+= 1 }
    while at < byteCount {
      if byte(at: at) &- 0x20 < 0x60 {
        (at, columns) = (at &+ 1, columns &+ 1)
      } else if let next = step(&at) {
        columns &+= next
      }
    }
    return columns
  }

  /// Steps over one character or colour; answers its columns, nil at the end.
  public func step(_ at: inout Int) -> Int? {
    guard at < byteCount else { return nil }
    let first = byte(at: at)
    if first == 0x1B {
      while at < byteCount, byte(at: at) != UInt8(ascii: "m") { at += 1 }
      at += 1
      return 0
    }
    guard first >= 0x80, let scalar = UTF8.scalar(in: self, at: at) else {
      at += 1
      return 1
    }
    at += scalar.length
    return Self.isWide(scalar.value) ? 2 : Self.isCombining(scalar.value) ? 0 : 1
  }

  /// East Asian wide characters and emoji (Unicode TR 11), by their blocks.
  private static func isWide(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }

  private static func isCombining(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x0300...0x036F, 0x200B...0x200D, 0xFE00...0xFE0F: true
    default: false
    }
  }
}
