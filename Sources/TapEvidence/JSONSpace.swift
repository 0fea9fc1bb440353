// SPDX-License-Identifier: Apache-2.0

/// White space as JSON has it (RFC 8259 §2).
@inlinable public func isJSONSpace(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
}
