// SPDX-License-Identifier: Apache-2.0

/// How programs print messages that are lists: by the name of the type and the names of the
/// elements, in any order. A dialect provides such a table as data, and the log reader rebuilds
/// messages with it.
public struct PrintedMessages: Sendable {
  public struct Layout: Sendable {
    /// The class name that programs use: `Subscribe`.
    public var name: StaticString
    /// The first element of the message, its type code.
    public var code: Int
    /// The elements after it, in order. `*` is the dictionary of all fields without a place of
    /// their own; `+` is the same, left out where there are none.
    public var fields: [String]

    public init(_ name: StaticString, _ code: Int, _ fields: [String]) {
      (self.name, self.code, self.fields) = (name, code, fields)
    }
  }

  public var layouts: [Layout]
  /// Other names that some programs use for elements.
  public var synonyms: [(name: StaticString, field: String)]

  public init(
    _ layouts: [Layout] = [], synonyms: [(name: StaticString, field: String)] = []
  ) {
    (self.layouts, self.synonyms) = (layouts, synonyms)
  }
}
