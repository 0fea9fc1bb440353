// SPDX-License-Identifier: Apache-2.0

/// Captured packets as consecutive pcap records. One thread fills it, then another reads it.
final class Chunk: @unchecked Sendable {
  private let base: UnsafeMutableRawPointer
  private let capacity: Int
  private(set) var count = 0
  /// How many packets were dropped just before the first one.
  var droppedBefore: UInt64 = 0

  init(capacity: Int) {
    self.capacity = capacity
    base = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { base.deallocate() }

  var room: Int { capacity - count }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  func append(_ word: UInt32) {
    precondition(room >= 4)
    base.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt32.self)
    count += 4
  }

  func append(_ octets: UnsafeRawBufferPointer) {
    precondition(room >= octets.count)
    if let source = octets.baseAddress {
      (base + count).copyMemory(from: source, byteCount: octets.count)
    }
    count += octets.count
  }

  func empty() { (count, droppedBefore) = (0, 0) }
}
