// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The bytes that a search held from the found record on, to be read again, with the origin of each
/// piece.
struct FoundOctets {
  let store: Scratch
  private let pieces: [(start: Int, delivery: Delivery)]
  private var piece: Int
  private var at: Int

  init(_ search: RecordSearch, from offset: Int) {
    (store, pieces, at) = (search.held, search.pieces, offset)
    piece = pieces.lastIndex { $0.start <= offset } ?? 0
  }

  /// The rest of the next piece; nil when all were read.
  var next: (range: Range<Int>, delivery: Delivery)? {
    if at >= store.count { return nil }
    let start = pieces[piece].start
    let end = piece + 1 < pieces.count ? pieces[piece + 1].start : store.count
    return (at..<end, pieces[piece].delivery.advanced(by: at - start))
  }

  /// `count` bytes were read.
  mutating func skip(_ count: Int) {
    at += count
    while piece + 1 < pieces.count && pieces[piece + 1].start <= at { piece += 1 }
  }
}
