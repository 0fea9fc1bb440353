// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// White space as JSON has it (RFC 8259 §2).
@inlinable public func isJSONSpace(_ byte: UInt8) -> Bool {
  byte.isJSONSpace
}

extension RawSpan {
  /// The offset of the last byte that is no white space of JSON; nil when there is none.
  public var lastUnspaced: Int? { (0..<byteCount).last { !byte(at: $0).isJSONSpace } }
}
