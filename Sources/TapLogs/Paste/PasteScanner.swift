// SPDX-License-Identifier: Apache-2.0

import TapBytes
/// Reads a pasted text byte by byte and says where arrays begin and end, and objects if asked to.
/// Holds no text.
struct PasteScanner {
  enum Step {
    /// Belongs to nothing.
    case space
    /// The first byte of an array.
    case begin
    case inside
    /// The last byte of an array.
    case end
    /// No part of any array.
    case foreign
  }

  /// Where a comma stands behind the last array, and nothing else does.
  private(set) var comma: UInt64?
  /// Bytes so far.
  private var count: UInt64 = 0
  /// An array has ended.
  private var hasArray = false
  /// Objects count as well.
  var takesObjects = false
  /// Inside of an array.
  private(set) var isInValue = false
  private var brackets = BracketCount()
  /// Bytes of the byte order mark that may still come: it stands only at the very beginning.
  private var mark = 0

  mutating func step(_ byte: UInt8) -> Step {
    count &+= 1
    return isInValue ? value(byte) : between(byte)
  }

  private mutating func between(_ byte: UInt8) -> Step {
    if mark < 3 {
      // U+FEFF as UTF-8.
      let isMark = byte == (mark == 0 ? 0xEF : mark == 1 ? 0xBB : 0xBF)
      mark = isMark ? mark + 1 : 3
      if isMark { return .space }
    }
    switch byte {
    // 0x18 and 0x1E end messages of WAMP's batched JSON.
    case .space, .tab, .lineFeed, .carriageReturn, 0x18, 0x1E: return .space
    case .comma:
      if hasArray { comma = count - 1 }
      return .space
    case .openBracket:
      open()
      return .begin
    case .openBrace where takesObjects:
      open()
      return .begin
    default: return .foreign
    }
  }

  private mutating func value(_ byte: UInt8) -> Step {
    guard brackets.take(byte) else { return .inside }
    (isInValue, hasArray) = (false, true)
    return .end
  }

  private mutating func open() {
    (isInValue, comma) = (true, nil)
    brackets = BracketCount()
    brackets.depth = 1
  }
}
