// SPDX-License-Identifier: Apache-2.0

/// The words that one application uses most, so that the table of all symbols, which is behind a
/// lock, is asked once for each.
public struct RecentSymbols: Sendable {
  private var places = ContiguousArray<Symbol>(repeating: Symbol(""), count: 32)
  /// How many texts the process may have interned.
  private let most: Int

  public init(most: Int) { self.most = most }

  /// The symbol of a text; nil when there is no room for one more.
  public mutating func symbol(_ text: RawSpan) -> Symbol? {
    let place = Int(truncatingIfNeeded: KeyFilter.hash(text, 0, text.byteCount) >> 59)
    let known = places[place]
    if text.equals(symbol: known) { return known }
    // Two that take turns in one place find both.
    let other = places[place ^ 1]
    if text.equals(symbol: other) { return other }
    guard let symbol = Symbol.interned(text, most: most) else { return nil }
    (places[place], places[place ^ 1]) = (symbol, known)
    return symbol
  }
}
