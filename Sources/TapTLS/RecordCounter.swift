// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Counts the undecrypted records of one direction: a secret that comes late is useful only with
/// the number of the next record.
struct RecordCounter {
  /// In TLS 1.3, only application data records have a number; others are not encrypted.
  private let isTLS13: Bool
  /// The number of bytes that passed.
  private(set) var octets = 0
  /// The number of records that have begun; nil when bytes were missing.
  private(set) var records: Int? = 0
  /// An incomplete header.
  private var header = Scratch()
  /// The bytes still to come of the last record.
  private var left = 0
  /// Records with the size of a KeyUpdate: their number, and for each of the last, how many records
  /// had begun.
  private var (sized, places) = (0, ContiguousArray<Int>())

  /// A KeyUpdate has 5 bytes, its content type 1, the tag 16 or 8 (RFC 8446 §4.6.3, §5.2; RFC 6655
  /// §4).
  private static let updateSizes: [Int] = [22, 14]
  /// The limits of remembered places, and of KeyUpdates before each.
  private static let (mostPlaces, mostUpdates) = (8, 4)

  init(isTLS13: Bool) { self.isTLS13 = isTLS13 }

  /// How many of these records may have been KeyUpdates, with the number of the next record under
  /// the resulting keys; the most likely first.
  var updates: [(generation: Int, first: UInt64)] {
    guard isTLS13 else { return [] }
    guard let records else { return [(1, 0), (2, 0)] }
    return (1...Self.mostUpdates).flatMap { generation in
      places.enumerated().reversed().compactMap { at, place in
        // No more than passed before this place.
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

  /// Bytes are missing, so record numbers are not known any more.
  mutating func miss() { records = nil }
}
