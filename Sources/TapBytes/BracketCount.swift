// SPDX-License-Identifier: Apache-2.0

/// Counts the open brackets of JSON (RFC 8259), byte by byte; those in strings are text.
public struct BracketCount {
  /// Open brackets and braces.
  public var depth = 0
  public var isInString = false
  @usableFromInline var isEscaped = false

  @inlinable public init() {}

  /// Takes the next byte; answers whether it closes the outermost bracket.
  @inlinable public mutating func take(_ byte: UInt8) -> Bool {
    if isInString {
      if byte == .quote && !isEscaped { isInString = false }
      isEscaped = byte == .backslash && !isEscaped
      return false
    }
    switch byte {
    case .quote: isInString = true
    case .openBracket, .openBrace: depth &+= 1
    case .closeBracket, .closeBrace:
      depth &-= 1
      return depth <= 0
    default: break
    }
    return false
  }
}
