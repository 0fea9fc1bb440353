// SPDX-License-Identifier: Apache-2.0

/// Why bytes are not one complete value of the serializer, and where.
public struct TranscodingFault: Sendable, Equatable, BitwiseCopyable {
  public enum Problem: UInt8, Sendable, BitwiseCopyable {
    /// The bytes end inside a value.
    case incomplete
    /// A length or count that is too large for the following bytes.
    case overlong
    /// A byte that is not allowed at its position, or has no meaning.
    case unexpected
    /// Nested more deeply than the limit.
    case tooDeep
    /// The JSON text would be larger than the limit.
    case tooLarge
  }

  public var problem: Problem
  /// The start of the unreadable value, in bytes from the start of the message.
  public var offset: Int

  public init(_ problem: Problem, offset: Int) { (self.problem, self.offset) = (problem, offset) }

  /// For users, worded like the JSON scanner's problems.
  public var description: String {
    switch problem {
    case .incomplete: "it ends inside the value that begins at byte \(offset)"
    case .overlong: "byte \(offset) claims more than there is"
    case .unexpected: "byte \(offset) is not expected there"
    case .tooDeep: "it is nested too deeply at byte \(offset)"
    case .tooLarge: "its text is too large at byte \(offset)"
    }
  }
}
