// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// White space as JSON has it (RFC 8259 §2).
@inlinable public func isJSONSpace(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
}

extension RawSpan {
  /// The offset of the last byte that is no white space of JSON; nil when there is none.
  public var lastUnspaced: Int? { (0..<byteCount).last { !isJSONSpace(byte(at: $0)) } }
}
