// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// Which input an offset belongs to, and whether the file itself is counted or what was compressed
/// in it, or what its text stands for.
public struct Place {
  public var input: UInt16
  /// How many times what is read here was compressed or written as text.
  public var depth = 0
  /// The innermost wrapping is a text that stands for bytes.
  public var isDecoded = false
  /// What was said of the input.
  public var choice: InputChoice
  /// What may be inside; nil where nothing is looked for.
  public let registry: (any InputRegistry.Type)?

  /// - Parameter input: the number of the input, which goes into every origin.
  public init(
    input: UInt16, choice: InputChoice = InputChoice(),
    _ registry: (any InputRegistry.Type)? = nil
  ) {
    (self.input, self.choice, self.registry) = (input, choice, registry)
  }

  /// The same for what is inside of it.
  ///
  /// - Parameter isDecoded: the wrapping is a text that stands for bytes.
  public func inside(isDecoded: Bool) -> Place {
    var place = self
    (place.depth, place.isDecoded) = (depth + 1, isDecoded)
    return place
  }

  /// "byte 24", as texts of findings name it.
  public func byte(_ offset: UInt64) -> String {
    if depth == 0 { return "byte \(offset)" }
    return "byte \(offset) of the \(isDecoded ? "decoded bytes" : "inflated file")"
  }

  public func origin(_ offset: UInt64, record: UInt64 = 0, _ time: Instant = .unknown) -> Origin {
    Origin(time: time, record: record, offset: offset, input: input)
  }
}
