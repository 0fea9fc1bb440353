// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// A value in the payload of a message, and what the application's own people call it.
public struct NamedValue: Sendable {
  /// The path to the value, as the names file writes it.
  public var field: ContiguousArray<UInt8>
  /// The word for it. It is as foreign as text of the wire: outputs escape it.
  public var name: ContiguousArray<UInt8>
  /// Where the value stands in the bytes as they are shown; a string with its quotes.
  public var range: ByteRange

  public init(_ field: ContiguousArray<UInt8>, _ name: ContiguousArray<UInt8>, _ range: ByteRange) {
    (self.field, self.name, self.range) = (field, name, range)
  }
}
