// SPDX-License-Identifier: Apache-2.0

/// What values of fields can be, as the dialects and the layers know it: filters are checked
/// against it, and shells complete from it.
public struct Vocabulary: Sendable {
  /// A message of a protocol.
  public struct Message: Sendable {
    public var name: String
    /// As people call it: `WAMP`.
    public var title: String

    public init(name: String, title: String) { (self.name, self.title) = (name, title) }
  }

  public var messages: [Message] = []
  /// Words of `protocol`.
  public var protocols: [String] = []
  /// Codes of findings.
  public var findings: [String] = []
  /// Errors that protocols define; applications have more.
  public var errors: [String] = []
  /// Filters that a names file has, and the built-in ones, by name.
  public var filters: [String: String] = builtIn
  /// Seconds that the clock of `-t a` is ahead of UTC at a second since 1970.
  public var zone: @Sendable (Int64) -> Int64 = { _ in 0 }

  /// Filters that are always there.
  public static let builtIn = ["problems": "failed or unanswered or severity >= warning"]

  public init() {}
}
