// SPDX-License-Identifier: Apache-2.0

/// Which messages belong to one exchange (union-find): each refers to an earlier one, the first to
/// itself.
struct ExchangeTable {
  /// The first messages of two exchanges that were merged.
  struct Merge {
    var from: UInt64
    var into: UInt64
  }

  /// By message index; zero refers to itself.
  private var parents: ContiguousArray<UInt32> = []
  /// The merges since the last call of `takeMerges`.
  private var merges: [Merge] = []
  /// Whether `merges` are recorded.
  var notesMerges = false

  /// The first message of the exchange.
  func root(of index: UInt64) -> UInt64 {
    var at = index
    while at < UInt64(parents.count), parents[Int(at)] != 0 { at = UInt64(parents[Int(at)]) }
    return at
  }

  /// Two messages belong to the same exchange.
  mutating func join(_ left: UInt64, _ right: UInt64) {
    let (first, second) = (root(of: left), root(of: right))
    if first == second || max(first, second) > UInt64(UInt32.max) { return }
    set(max(first, second), to: min(first, second))
    if notesMerges { merges.append(Merge(from: max(first, second), into: min(first, second))) }
    // Shorten paths for later calls.
    if left != min(first, second) { set(left, to: min(first, second)) }
    if right != min(first, second) { set(right, to: min(first, second)) }
  }

  mutating func takeMerges() -> [Merge] {
    defer { merges.removeAll(keepingCapacity: true) }
    return merges
  }

  private mutating func set(_ index: UInt64, to parent: UInt64) {
    while UInt64(parents.count) <= index { parents.append(0) }
    parents[Int(index)] = UInt32(parent)
  }
}
