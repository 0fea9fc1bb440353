// SPDX-License-Identifier: Apache-2.0

/// A set of keys that does not grow without end.
struct BoundedKeys {
  private static let most = 1024

  private(set) var all: Set<UInt64> = []
  /// Some found no room.
  private(set) var isFull = false

  var isEmpty: Bool { all.isEmpty }

  mutating func insert(_ key: UInt64) {
    if all.count < Self.most { all.insert(key) } else if !all.contains(key) { isFull = true }
  }

  /// - Returns: whether it was there.
  mutating func remove(_ key: UInt64) -> Bool { !all.isEmpty && all.remove(key) != nil }

  func contains(_ key: UInt64) -> Bool { !all.isEmpty && all.contains(key) }
}
