// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Passes over one JSON value that is not wanted: finds its end by quotes and brackets.
struct JSONSkip {
  private var depth: UInt64 = 0
  private(set) var isInString = false
  private var isEscaped = false

  /// The next value begins, with its first byte.
  mutating func begin() { (depth, isInString, isEscaped) = (0, false, false) }

  /// Moves `at` to the end of the value or of the chunk; answers whether the value has ended.
  mutating func pass(_ chunk: RawSpan, _ at: inout Int) -> Bool {
    while at < chunk.byteCount {
      if isInString {
        passString(chunk, &at)
        if !isInString && depth == 0 { return true }
        continue
      }
      let byte = chunk.byte(at: at)
      at &+= 1
      switch byte {
      case .quote: isInString = true
      case .openBrace, .openBracket: depth &+= 1
      case .closeBrace, .closeBracket:
        depth &-= 1
        if depth == 0 { return true }
      default: break
      }
    }
    return false
  }

  private mutating func passString(_ chunk: RawSpan, _ at: inout Int) {
    while at < chunk.byteCount {
      if isEscaped {
        isEscaped = false
        at &+= 1
        continue
      }
      at = JSONText.plainEnd(chunk, at)
      if at == chunk.byteCount { return }
      isEscaped = chunk.byte(at: at) == .backslash
      at &+= 1
      if !isEscaped {
        isInString = false
        return
      }
    }
  }
}
