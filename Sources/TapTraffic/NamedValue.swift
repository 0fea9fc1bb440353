// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// A value in the payload of a message, and the name that a names file gives it.
public struct NamedValue: Sendable {
  /// The path to the value, as the names file writes it.
  public var field: ContiguousArray<UInt8>
  /// The name. It is as untrusted as text from the wire: outputs escape it.
  public var name: ContiguousArray<UInt8>
  /// Range of the value in the bytes as they are shown; a string with its quotes.
  public var range: ByteRange

  public init(_ field: ContiguousArray<UInt8>, _ name: ContiguousArray<UInt8>, _ range: ByteRange) {
    (self.field, self.name, self.range) = (field, name, range)
  }
}
