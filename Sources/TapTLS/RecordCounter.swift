// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Counts the records of one direction that go by unopened, however they were cut: a secret that
/// comes late is of use only to who knows the number of the next one.
struct RecordCounter {
  /// Records with such a type have a number: not those that are never encrypted.
  private let isTLS13: Bool
  /// Octets that went by.
  private(set) var octets = 0
  /// Records that have begun; nil when octets are missing among them.
  private(set) var records: Int? = 0
  /// A header that is not all there.
  private var header = Scratch()
  /// Octets of the last record that are still to come.
  private var left = 0

  init(isTLS13: Bool) { self.isTLS13 = isTLS13 }

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
      }
    }
    records = count
  }

  /// Octets are missing: numbers are known no more.
  mutating func miss() { records = nil }
}
