// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Short pieces of text that come again and again, ready to be copied: up to sixteen bytes each,
/// found by a key, the last one for each place.
struct TextCache {
  private struct Stamp: BitwiseCopyable {
    var key: UInt64 = .max
    var head: UInt64 = 0
    var tail: UInt64 = 0
    var count = 0
  }

  private var places: ContiguousArray<Stamp>
  private let shift: UInt64

  /// - Parameter count: of places, a power of two.
  init(_ count: Int) {
    places = ContiguousArray(repeating: Stamp(), count: count)
    shift = UInt64(64 - count.trailingZeroBitCount)
  }

  /// Appends the text of a key; false when it is not there, and nothing was done.
  @inline(__always)
  func append(_ key: UInt64, to text: inout TextBuffer) -> Bool {
    let stamp = places[place(key)]
    if stamp.key != key { return false }
    text.append(pair: stamp.head, stamp.tail, count: stamp.count)
    return true
  }

  /// Keeps what stands behind `begin` as the text of a key, if it is short enough.
  @inline(never)
  mutating func keep(_ key: UInt64, from begin: Int, of text: borrowing TextBuffer) {
    let written = text.bytes.dropping(begin)
    guard written.byteCount <= 16 else { return }
    var stamp = Stamp(key: key, count: written.byteCount)
    for at in 0..<written.byteCount {
      let octet = UInt64(written.byte(at: at)) << UInt64(at & 7 &* 8)
      if at < 8 { stamp.head |= octet } else { stamp.tail |= octet }
    }
    places[place(key)] = stamp
  }

  /// The highest bits: keys that count up are spread evenly (Knuth, "Fibonacci hashing").
  @inline(__always)
  private func place(_ key: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> shift)
  }
}
