// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// A table of bounded size that forgets old entries without examining them. It has two halves: when
/// the younger half is full, it becomes the older one, whose entries are dropped.
struct GenerationTable<Value: BitwiseCopyable & Sendable> {
  private var younger: IDTable<Value>
  private var older: IDTable<Value>
  /// Entries in one half.
  private let most: Int

  init(most: Int) {
    self.most = max(1, most / 2)
    younger = IDTable(minimumCapacity: 1)
    older = IDTable(minimumCapacity: 1)
  }

  /// The entry of a key. An entry that is set goes into the younger half.
  subscript(key: WideKey) -> Value? { younger[key] ?? older[key] }

  mutating func set(_ value: Value, for key: WideKey) {
    if younger.count >= most { forgetOlder() }
    younger[key] = value
  }

  mutating func forgetOlder() {
    swap(&younger, &older)
    younger.removeAll()
  }

  mutating func updateEach(_ body: (inout Value) -> Void) {
    younger.updateEach(body)
    older.updateEach(body)
  }
}
