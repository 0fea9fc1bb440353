// SPDX-License-Identifier: Apache-2.0

/// How programs print messages that are lists: by the name of their type, and the names of their
/// elements, which say nothing of where these stand. A dialect has such a table as data; what
/// reads lines makes messages by it.
public struct PrintedMessages: Sendable {
  public struct Layout: Sendable {
    /// As the classes of programs are called: `Subscribe`.
    public var name: StaticString
    /// The first element.
    public var code: Int
    /// The elements behind it, in order; `*` is the dictionary of all that stand nowhere else, `+`
    /// the same where there are any.
    public var fields: [String]

    public init(_ name: StaticString, _ code: Int, _ fields: [String]) {
      (self.name, self.code, self.fields) = (name, code, fields)
    }
  }

  public var layouts: [Layout]
  /// Elements that some programs call by other names.
  public var synonyms: [(name: StaticString, field: String)]

  public init(
    _ layouts: [Layout] = [], synonyms: [(name: StaticString, field: String)] = []
  ) {
    (self.layouts, self.synonyms) = (layouts, synonyms)
  }
}
