// SPDX-License-Identifier: Apache-2.0

/// A user's rule for an application's JSON: where a message has its kind, the id that joins an
/// answer to its request, and its subject.
public struct MessageRule: Sendable {
  /// Which connections it applies to; nil for all. In a URL, `*` matches any text.
  public var url: String?
  public var port: UInt16?
  public var subprotocol: String?
  /// The dialect that its messages would be recognised as; nil for none.
  public var dialect: String?
  /// Paths from the top of the message, such as `head.kind`; nil when there is no such value.
  public private(set) var type: String?
  public private(set) var request: String?
  public private(set) var answers: String?
  public private(set) var subject: String?
  /// Kinds that are answers, when request and answer have the id under the same name.
  public var replies: [String] = []
  /// Names for kinds, by their values.
  public var kindNames: [(value: String, name: String)] = []

  public init() {}

  /// - Throws: when the path for `key` is not valid.
  public mutating func set(_ key: String, _ path: String) throws(NamesFault) {
    let steps = try FieldPath(path)
    if steps.isWhole || steps.hasEvery {
      throw NamesFault("'\(key)' needs the path of one value, as head.kind")
    }
    switch key {
    case "type": type = path
    case "request": request = path
    case "answers": answers = path
    default: subject = path
    }
  }
}
