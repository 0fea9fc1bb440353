// SPDX-License-Identifier: Apache-2.0

import TapBytes
/// How messages begin that are JSON after a few characters of the dialect. A dialect provides it as
/// data, and the readers of text search for it.
public struct TextStart: Sendable {
  /// The first characters.
  public var head: StaticString
  /// The type digits that may follow the head. A packet's own fields may follow them before its
  /// data: a number and a hyphen, a namespace and a comma, a number. Nil where JSON follows the
  /// head at once.
  public var types: ClosedRange<UInt8>?
  /// What the JSON begins with: `["`, `{`; empty for any list and any object.
  public var opening: StaticString

  public init(_ head: StaticString, types: ClosedRange<UInt8>? = nil, _ opening: StaticString = "")
  {
    (self.head, self.types, self.opening) = (head, types, opening)
  }

  /// Whether they are JSON objects right after the head.
  public var isOfObjects: Bool {
    types == nil && opening.utf8CodeUnitCount > 0 && opening.utf8Start[0] == .openBrace
  }
}
