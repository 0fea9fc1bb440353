// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The known values of fields, from dialects and layers: filters are checked against them, and
/// shells complete from them.
public struct Vocabulary: Sendable {
  /// A message of a protocol.
  public struct Message: Sendable {
    public var name: String
    /// The protocol's usual name: `WAMP`.
    public var title: String

    public init(name: String, title: String) { (self.name, self.title) = (name, title) }
  }

  public var messages: [Message] = []
  /// Values of `protocol`.
  public var protocols: [String] = []
  /// Codes of findings.
  public var findings: [String] = []
  /// Errors that protocols define; applications have more.
  public var errors: [String] = []
  /// The filters of a names file and the built-in ones, by name.
  public var filters: [String: String] = builtIn
  /// The offset of `-t a`'s clock from UTC in seconds, at a second since 1970.
  public var zone: @Sendable (Int64) -> Int64 = { _ in 0 }

  /// The built-in filters.
  public static let builtIn = ["problems": "failed or unanswered or severity >= warning"]

  public init() {}

  /// What a message may have been meant by that no protocol has; nil where none is similar.
  func hint(forMessage name: String) -> String? {
    guard let nearest = Spelling.nearest(to: name, among: messages.map(\.name)) else { return nil }
    let title = messages.first { $0.name == nearest }!.title
    return "no message of \(title) is called '\(name)'; \(nearest) is"
  }
}
