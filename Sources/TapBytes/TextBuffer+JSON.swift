// SPDX-License-Identifier: Apache-2.0

/// Members of JSON objects and elements of lists. The comma before one is left out behind the
/// bracket that opens the object or the list.
extension TextBuffer {
  private mutating func separate() {
    let last = isEmpty ? .openBrace : bytes.byte(at: count - 1)
    if last != .openBrace && last != .openBracket { append(byte: .comma) }
  }

  /// Begins a member, whose value is appended next.
  ///
  /// - Parameter suffix: what its name has behind `name`.
  public mutating func key(_ name: StaticString, suffix: StaticString = "") {
    separate()
    append(byte: .quote)
    append(name)
    append(suffix)
    append("\":")
  }

  /// A number, or null.
  public mutating func member(_ name: StaticString, _ number: UInt64?) {
    key(name)
    if let number { append(decimal: number) } else { append("null") }
  }

  /// A number, or null.
  public mutating func member(_ name: StaticString, _ number: Int?) {
    key(name)
    if let number { append(decimal: number) } else { append("null") }
  }

  public mutating func member(_ name: StaticString, _ flag: Bool) {
    key(name)
    append(flag ? "true" : "false")
  }

  /// - Parameter string: text from the wire.
  public mutating func member(_ name: StaticString, _ string: RawSpan) {
    key(name)
    append(jsonString: string)
  }

  public mutating func member(_ name: StaticString, _ string: String) {
    key(name)
    append(jsonString: string)
  }

  /// - Parameter json: the value as JSON.
  public mutating func member(_ name: StaticString, json: RawSpan) {
    key(name)
    append(json)
  }

  /// - Parameter word: one of ours, which needs no escaping; nil for null.
  public mutating func member(_ name: StaticString, word: Symbol?) {
    key(name)
    guard let word else { return append("null") }
    append(byte: .quote)
    append(symbol: word)
    append(byte: .quote)
  }

  public mutating func member(_ name: StaticString, word: StaticString) {
    member(name, word: Symbol(word))
  }

  public mutating func object(
    _ name: StaticString, _ members: (inout TextBuffer) -> Void
  ) {
    key(name)
    append(byte: .openBrace)
    members(&self)
    append(byte: .closeBrace)
  }

  public mutating func list<Element>(
    _ name: StaticString, of elements: some Sequence<Element>,
    _ element: (Element, inout TextBuffer) -> Void
  ) {
    key(name)
    append(byte: .openBracket)
    for one in elements {
      separate()
      element(one, &self)
    }
    append(byte: .closeBracket)
  }
}
