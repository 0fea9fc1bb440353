// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Substring search.
enum Search {
  /// The index of the byte that is rarest in messages, judged by its frequency in JSON and words.
  static func rarest(in text: [UInt8]) -> Int {
    let common = Array(" \"e,:ta{}oinsrlh[]0d1cumpg2.fyw3b4v5kx6789".utf8)
    var (best, place) = (-1, 0)
    for (index, byte) in text.enumerated() {
      let rank = common.firstIndex(of: byte) ?? common.count
      if rank > best { (best, place) = (rank, index) }
    }
    return place
  }

  /// - Parameter rarest: the index in the needle of a rare byte.
  static func contains(_ text: RawSpan, _ needle: RawSpan, rarest: Int) -> Bool {
    let count = needle.byteCount
    if count == 0 { return true }
    if text.byteCount < count { return false }
    let byte = needle.byte(at: rarest)
    var at = rarest
    let last = text.byteCount - count + rarest
    while at <= last, let found = text.firstIndex(of: byte, from: at) {
      if found > last { return false }
      let start = found - rarest
      if text.extracting(start..<start + count).equals(needle) { return true }
      at = found + 1
    }
    return false
  }
}
