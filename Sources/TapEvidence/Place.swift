// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// Which input an offset belongs to, and in which bytes it counts: those of the file, those
/// inflated from it, or those decoded from its text.
public struct Place {
  public var input: UInt16
  /// How many times the bytes were compressed or encoded as text.
  public var depth = 0
  /// The innermost encoding is a text, such as base64.
  public var isDecoded = false
  /// What the user's options say about the input.
  public var choice: InputChoice
  /// What evidence inside is recognised by; nil where it is not looked for.
  public let registry: (any InputRegistry.Type)?

  /// - Parameter input: the number of the input, which goes into every origin.
  public init(
    input: UInt16, choice: InputChoice = InputChoice(),
    _ registry: (any InputRegistry.Type)? = nil
  ) {
    (self.input, self.choice, self.registry) = (input, choice, registry)
  }

  /// The place of what is compressed or encoded in this one.
  ///
  /// - Parameter isDecoded: it is encoded as text, rather than compressed.
  public func inside(isDecoded: Bool) -> Place {
    var place = self
    (place.depth, place.isDecoded) = (depth + 1, isDecoded)
    return place
  }

  /// "byte 24", as findings name it.
  public func byte(_ offset: UInt64) -> String {
    if depth == 0 { return "byte \(offset)" }
    return "byte \(offset) of the \(isDecoded ? "decoded bytes" : "inflated file")"
  }

  public func origin(_ offset: UInt64, record: UInt64 = 0, _ time: Instant = .unknown) -> Origin {
    Origin(time: time, record: record, offset: offset, input: input)
  }
}
