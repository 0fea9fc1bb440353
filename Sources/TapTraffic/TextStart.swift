// SPDX-License-Identifier: Apache-2.0

import TapBytes
/// How messages of a dialect begin that are JSON behind a few characters of its own: a dialect says
/// so as data, by which readers of texts find them.
public struct TextStart: Sendable {
  /// Its first characters.
  public var head: StaticString
  /// The digits that may stand behind them, before what a packet says ahead of its data: a number
  /// and a hyphen, a namespace and a comma, a number. Nil where JSON stands there at once.
  public var types: ClosedRange<UInt8>?
  /// What JSON begins with: `["`, `{`; empty for any list and any object.
  public var opening: StaticString

  public init(_ head: StaticString, types: ClosedRange<UInt8>? = nil, _ opening: StaticString = "")
  {
    (self.head, self.types, self.opening) = (head, types, opening)
  }

  /// Whether they are objects behind nothing but the head.
  public var isOfObjects: Bool {
    types == nil && opening.utf8CodeUnitCount > 0 && opening.utf8Start[0] == .openBrace
  }
}
