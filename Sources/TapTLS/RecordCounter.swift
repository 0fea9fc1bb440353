// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Counts the records of one direction that go by unopened, however they were cut: a secret that
/// comes late is of use only to who knows the number of the next one.
struct RecordCounter {
  /// Records with such a type have a number: not those that are never encrypted.
  private let isTLS13: Bool
  /// Bytes that went by.
  private(set) var octets = 0
  /// Records that have begun; nil when bytes are missing among them.
  private(set) var records: Int? = 0
  /// A header that is not all there.
  private var header = Scratch()
  /// Bytes of the last record that are still to come.
  private var left = 0
  /// Records that have the size of a KeyUpdate: how many there were, and how many records had begun
  /// with each of the last.
  private var (sized, places) = (0, ContiguousArray<Int>())

  /// A KeyUpdate has 5 bytes, its type 1, the tag 16, or 8 (RFC 8446 §4.6.3, §5.2; RFC 6655 §4).
  private static let updateSizes: [Int] = [22, 14]
  /// Places that are remembered, and KeyUpdates that may lie before each.
  private static let (mostPlaces, mostUpdates) = (8, 4)

  init(isTLS13: Bool) { self.isTLS13 = isTLS13 }

  /// What of these records may have been KeyUpdates: how many of them, and the number of the next
  /// record with the keys behind them. The likelier first.
  var updates: [(generation: Int, first: UInt64)] {
    guard isTLS13 else { return [] }
    guard let records else { return [(1, 0), (2, 0)] }
    return (1...Self.mostUpdates).flatMap { generation in
      places.enumerated().reversed().compactMap { at, place in
        // No more than have gone by until there.
        generation <= sized - places.count + at + 1
          ? (generation, UInt64(records - place)) : nil
      }
    }
  }

  mutating func pass(_ bytes: RawSpan) {
    octets += bytes.byteCount
    guard var count = records else { return }
    var at = 0
    while true {
      let passed = min(left, bytes.byteCount - at)
      left -= passed
      at += passed
      if at == bytes.byteCount { break }
      header.append(bytes.byte(at: at))
      at += 1
      guard let record = Record.parse(header.bytes, at: 0) else { continue }
      header.removeAll()
      guard record.isPlausible else {
        records = nil
        return
      }
      left = record.length
      if record.type == Record.Kind.applicationData
        || !isTLS13 && record.type != Record.Kind.changeCipherSpec
      {
        count += 1
        if isTLS13 && Self.updateSizes.contains(record.length) { note(count) }
      }
    }
    records = count
  }

  private mutating func note(_ place: Int) {
    sized += 1
    if places.count == Self.mostPlaces { places.removeFirst() }
    places.append(place)
  }

  /// Bytes are missing: numbers are known no more.
  mutating func miss() { records = nil }
}
