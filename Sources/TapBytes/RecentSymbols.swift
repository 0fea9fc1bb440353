// SPDX-License-Identifier: Apache-2.0

/// A cache of recently used symbols, to avoid the lock of the global symbol table.
public struct RecentSymbols: Sendable {
  private var places = ContiguousArray<Symbol>(repeating: Symbol(""), count: 32)
  /// The limit of interned texts in the process.
  private let most: Int

  public init(most: Int) { self.most = most }

  /// The symbol of a text; nil when there is no room for one more.
  public mutating func symbol(_ text: RawSpan) -> Symbol? {
    let place = Int(truncatingIfNeeded: KeyFilter.hash(text, 0, text.byteCount) >> 59)
    let known = places[place]
    if text.equals(symbol: known) { return known }
    // Check the neighbouring place too, for two symbols with the same place.
    let other = places[place ^ 1]
    if text.equals(symbol: other) { return other }
    guard let symbol = Symbol.interned(text, most: most) else { return nil }
    (places[place], places[place ^ 1]) = (symbol, known)
    return symbol
  }
}
