// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Looks for a text in another one.
enum Search {
  /// The place of the byte that is least often in messages: what is not common in JSON and words.
  static func rarest(in text: [UInt8]) -> Int {
    let common = Array(" \"e,:ta{}oinsrlh[]0d1cumpg2.fyw3b4v5kx6789".utf8)
    var (best, place) = (-1, 0)
    for (index, byte) in text.enumerated() {
      let rank = common.firstIndex(of: byte) ?? common.count
      if rank > best { (best, place) = (rank, index) }
    }
    return place
  }

  /// - Parameter rarest: where in the needle a byte stands that is seldom seen.
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
