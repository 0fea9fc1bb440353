// SPDX-License-Identifier: Apache-2.0

/// A table of bounded size that knows its least recently used entry, so that making room needs no
/// search. Pinned entries are in use, and not part of that order.
struct RecencyTable<Key: Hashable, Value> {
  private struct Entry {
    var key: Key
    var value: Value
  }

  /// Neighbours in the order of use; a pinned entry is its own neighbour. Separate from the
  /// entries, which would be copied on access.
  private struct Neighbours: BitwiseCopyable {
    var older: Int
    var newer: Int
  }

  private static var none: Int { -1 }

  private var places: [Key: Int] = [:]
  private var entries: ContiguousArray<Entry?> = []
  private var neighbours: ContiguousArray<Neighbours> = []
  /// Places of removed entries, to be reused.
  private var free: ContiguousArray<Int> = []
  private var (first, last) = (none, none)
  private let most: Int

  init(most: Int) { self.most = most }

  var isFull: Bool { places.count >= most }
  /// The place of the least recently used entry; nil when all are pinned.
  var oldest: Int? { first == Self.none ? nil : first }

  func place(of key: Key) -> Int? { places[key] }

  func key(at place: Int) -> Key { entries[place]!.key }

  subscript(place: Int) -> Value {
    get { entries[place]!.value }
    _modify { yield &entries[place]!.value }
  }

  /// Adds an entry with a new key; returns its place.
  mutating func insert(_ value: Value, for key: Key) -> Int {
    let entry = Entry(key: key, value: value)
    let place: Int
    if let last = free.popLast() {
      place = last
      entries[place] = entry
    } else {
      place = entries.count
      entries.append(entry)
      neighbours.append(Neighbours(older: Self.none, newer: Self.none))
    }
    places[key] = place
    append(place)
    return place
  }

  mutating func remove(_ place: Int) {
    unlink(place)
    places[entries[place]!.key] = nil
    entries[place] = nil
    free.append(place)
  }

  /// Marks an entry as used now.
  mutating func touch(_ place: Int) {
    if isPinned(place) { return }
    unlink(place)
    append(place)
  }

  /// Keeps an entry from being the oldest until it is loosened.
  mutating func pin(_ place: Int) {
    unlink(place)
    neighbours[place] = Neighbours(older: place, newer: place)
  }

  mutating func loosen(_ place: Int) {
    if isPinned(place) { append(place) }
  }

  private func isPinned(_ place: Int) -> Bool { neighbours[place].older == place }

  private mutating func append(_ place: Int) {
    neighbours[place] = Neighbours(older: last, newer: Self.none)
    if last == Self.none { first = place } else { neighbours[last].newer = place }
    last = place
  }

  private mutating func unlink(_ place: Int) {
    if isPinned(place) { return }
    let (older, newer) = (neighbours[place].older, neighbours[place].newer)
    if older == Self.none { first = newer } else { neighbours[older].newer = newer }
    if newer == Self.none { last = older } else { neighbours[newer].older = older }
  }
}
