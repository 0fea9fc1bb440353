// SPDX-License-Identifier: Apache-2.0

/// Which messages belong to one exchange: each leads to an earlier one, the first to itself.
struct ExchangeTable {
  /// The first messages of two exchanges that are one now.
  struct Merge {
    var from: UInt64
    var into: UInt64
  }

  /// By index of message; zero leads to itself.
  private var parents: ContiguousArray<UInt32> = []
  /// What was joined since that was asked for last.
  private var merges: [Merge] = []
  /// Whether someone asks for `merges`.
  var notesMerges = false

  /// The message that stands for the exchange.
  func root(of index: UInt64) -> UInt64 {
    var at = index
    while at < UInt64(parents.count), parents[Int(at)] != 0 { at = UInt64(parents[Int(at)]) }
    return at
  }

  /// Two messages are of one exchange.
  mutating func join(_ left: UInt64, _ right: UInt64) {
    let (first, second) = (root(of: left), root(of: right))
    if first == second || max(first, second) > UInt64(UInt32.max) { return }
    set(max(first, second), to: min(first, second))
    if notesMerges { merges.append(Merge(from: max(first, second), into: min(first, second))) }
    // Shorter ways for what comes later.
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
