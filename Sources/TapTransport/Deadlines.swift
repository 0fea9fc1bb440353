// SPDX-License-Identifier: Apache-2.0

/// When connections have to be examined even if no packet of theirs comes: a binary heap. With each
/// packet, only the first entry is examined. Entries are not removed when they become obsolete; the
/// owner compares them with what the connection has scheduled.
struct Deadlines {
  struct Entry {
    var deadline: Int64
    var slot: Int
    /// Distinguishes the connection from a later one in the same slot.
    var born: UInt64
  }

  private var heap: ContiguousArray<Entry> = []
  /// The earliest deadline.
  private(set) var first = Int64.max

  mutating func add(_ entry: Entry) {
    heap.append(entry)
    var child = heap.count &- 1
    while child > 0 {
      let parent = (child &- 1) / 2
      if heap[parent].deadline <= heap[child].deadline { break }
      heap.swapAt(parent, child)
      child = parent
    }
    first = heap[0].deadline
  }

  var count: Int { heap.count }

  /// Keeps only the entries that are still current.
  mutating func keep(where isCurrent: (Entry) -> Bool) {
    let old = heap
    heap.removeAll(keepingCapacity: true)
    first = .max
    for entry in old where isCurrent(entry) { add(entry) }
  }

  /// The earliest entry, if its time has come.
  mutating func next(_ clock: Int64) -> Entry? {
    guard first <= clock, let entry = heap.first else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      sink()
    }
    first = heap.first?.deadline ?? .max
    return entry
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var child = 2 &* parent &+ 1
      if child >= heap.count { return }
      if child &+ 1 < heap.count, heap[child &+ 1].deadline < heap[child].deadline { child &+= 1 }
      if heap[parent].deadline <= heap[child].deadline { return }
      heap.swapAt(parent, child)
      parent = child
    }
  }
}
