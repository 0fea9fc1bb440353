// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Looks for the end of a list, as the lines of it arrive: brackets and strings respected, of
/// whatever language. It looks at each octet once.
struct ListEnd {
  enum State {
    /// No list has begun that may be a message.
    case seeking
    case inside
    case closed
  }

  private(set) var state = State.seeking
  /// Behind what was looked at; where the list ended, once it has.
  private(set) var at: Int
  /// Where the list begins.
  private(set) var start = 0
  private var depth = 0
  /// The quote that ends the string that is open; 0 outside.
  private var quote: UInt8 = 0
  private var isEscaped = false

  init(from start: Int) { at = start }

  /// Goes on to the end of what there is.
  mutating func advance(_ bytes: RawSpan) {
    if state == .seeking {
      guard let start = ListStart.next(bytes, from: at) else { return }
      (self.start, at, state) = (start, start, .inside)
    }
    while state == .inside, at < bytes.byteCount {
      step(bytes.byte(at: at))
      at += 1
    }
  }

  @inline(__always)
  private mutating func step(_ byte: UInt8) {
    if quote != 0 {
      if isEscaped {
        isEscaped = false
      } else if byte == 0x5C {
        isEscaped = true
      } else if byte == quote {
        quote = 0
      }
      return
    }
    switch byte {
    case 0x22, 0x27: quote = byte
    case 0x5B, 0x7B, 0x28: depth += 1
    case 0x5D, 0x7D, 0x29:
      depth -= 1
      if depth == 0 { state = .closed }
    default: break
    }
  }

  /// The offset behind the list of JSON that begins at `start`; nil when it does not end.
  static func json(_ bytes: RawSpan, _ start: Int) -> Int? {
    var at = start
    var depth = 0
    let count = bytes.byteCount
    while at < count {
      switch bytes.byte(at: at) {
      case 0x22:
        guard let end = string(bytes, at + 1) else { return nil }
        at = end
        continue
      case 0x5B, 0x7B: depth += 1
      case 0x5D, 0x7D:
        depth -= 1
        if depth == 0 { return at + 1 }
      default: break
      }
      at += 1
    }
    return nil
  }

  /// Behind the quote that ends a string whose content begins at `start`.
  private static func string(_ bytes: RawSpan, _ start: Int) -> Int? {
    var at = start
    while at < bytes.byteCount {
      while at + 16 <= bytes.byteCount {
        let unplain = bytes.unplainLanes(unchecked: at)
        at += unplain == 0 ? 16 : unplain.trailingZeroBitCount
        if unplain != 0 { break }
      }
      guard at < bytes.byteCount else { return nil }
      let byte = bytes.byte(at: at)
      if byte == 0x22 { return at + 1 }
      at += byte == 0x5C ? 2 : 1
    }
    return nil
  }
}
