// SPDX-License-Identifier: Apache-2.0

/// How the JSON of an application is read, as its people say: where a message says of which kind it
/// is, which id joins an answer to its request, and what it is about.
public struct MessageRule: Sendable {
  /// Which connections it is about; nil for all. In a URL, `*` stands for anything.
  public var url: String?
  public var port: UInt16?
  public var subprotocol: String?
  /// The dialect that its messages would be taken for; nil for none that is published.
  public var dialect: String?
  /// Paths from the top of the message, as `head.kind`; nil where there is no such value.
  public private(set) var type: String?
  public private(set) var request: String?
  public private(set) var answers: String?
  public private(set) var subject: String?
  /// Kinds that answer, where request and answer have their id under the same name.
  public var replies: [String] = []
  /// What kinds are called, by their values.
  public var kindNames: [(value: String, name: String)] = []

  public init() {}

  /// - Throws: where the path of `key` is none.
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
