// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// A table with room for so many entries, which forgets without a look at any of them: when one
/// half of its room is full, that half becomes the older generation, and the one before it goes.
struct GenerationTable<Value: BitwiseCopyable & Sendable> {
  private var younger: IDTable<Value>
  private var older: IDTable<Value>
  /// Entries of a generation.
  private let most: Int

  init(most: Int) {
    self.most = max(1, most / 2)
    younger = IDTable(minimumCapacity: 1)
    older = IDTable(minimumCapacity: 1)
  }

  var count: Int { younger.count + older.count }

  /// The entry of a key; one that is written becomes one of the younger.
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
