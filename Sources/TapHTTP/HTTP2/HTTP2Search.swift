// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Finds where frames begin after a gap, or if the connection was joined midway: at the beginning
/// of a segment or TLS record, if two significant frame headers follow each other there. The bytes
/// are held until that is clear, as the rest of a frame whose beginning is lost may look like a
/// frame header.
///
/// The answer depends only on the bytes and their segments, not on how many of them were there at
/// each call.
struct HTTP2Search {
  /// A place from which all bytes so far look like frames.
  private struct Candidate {
    var piece: Int
    /// Offset of its first byte, and of its next frame header.
    var start: Int
    var at: Int
    /// Number of significant frame headers (`saysSomething`).
    var count = 0
  }

  /// Where frames begin: how many bytes come before, and in which piece.
  struct Beginning {
    var skipped: Int
    var piece: Int
  }

  /// The connection was joined midway, without a gap. A single frame that ends where its segment
  /// does is then accepted.
  let isNew: Bool
  private(set) var held: ReplayBuffer
  private var candidates: ContiguousArray<Candidate> = []

  init(isNew: Bool, _ limits: Limits) {
    (self.isNew, held) = (isNew, ReplayBuffer(limits.undecided))
  }

  /// No more bytes may be held.
  mutating func isFull(_ limits: Limits) -> Bool {
    held.cost > limits.undecidedBytes || !held.reserve()
  }

  /// Holds the next bytes; returns where frames begin, once that is clear.
  ///
  /// - Parameter highest: the highest stream number that is accepted.
  mutating func look(_ bytes: RawSpan, _ delivery: Delivery, upTo highest: UInt32) -> Beginning? {
    if delivery.edges.contains(.start) {
      candidates.append(
        Candidate(piece: held.pieces.count, start: held.count, at: held.count))
    }
    held.append(bytes, delivery)
    // Of several candidates, the one that became clear first, however the bytes were cut.
    var first: (candidate: Candidate, clearAt: Int)?
    let isEnd = delivery.edges.contains(.end)
    var kept: ContiguousArray<Candidate> = []
    for var candidate in candidates {
      switch advance(&candidate, isEnd: isEnd, upTo: highest) {
      case .rejected: break
      case .open: kept.append(candidate)
      case .clear(let place): if place < first?.clearAt ?? .max { first = (candidate, place) }
      }
    }
    candidates = kept
    return first.map { Beginning(skipped: $0.candidate.start, piece: $0.candidate.piece) }
  }

  /// Whether frames begin nowhere in what is held.
  var isHopeless: Bool { candidates.isEmpty }

  /// No more bytes will come: accepts frames that end exactly there, if one of them belongs to a
  /// known stream.
  func last(isKnown: (UInt32) -> Bool) -> Beginning? {
    guard case .bytes(_, let delivery) = held.pieces.last, delivery.edges.contains(.end)
    else { return nil }
    for candidate in candidates where candidate.at == held.count && candidate.count > 0 {
      var at = candidate.start
      while let frame = HTTP2Frame.parse(held.store.bytes, at: at) {
        if frame.length > 0 && isKnown(frame.stream) {
          return Beginning(skipped: candidate.start, piece: candidate.piece)
        }
        at += HTTP2Frame.headerSize + frame.length
      }
    }
    return nil
  }

  private enum Verdict {
    case rejected, open
    /// Clear after this many bytes.
    case clear(Int)
  }

  private func advance(
    _ candidate: inout Candidate, isEnd: Bool, upTo highest: UInt32
  ) -> Verdict {
    while let frame = HTTP2Frame.parse(held.store.bytes, at: candidate.at) {
      if !frame.isPlausible(upTo: highest) { return .rejected }
      if frame.saysSomething(isNew: isNew) { candidate.count += 1 }
      if candidate.count == 2 { return .clear(candidate.at + HTTP2Frame.headerSize) }
      candidate.at += HTTP2Frame.headerSize + frame.length
    }
    let endsHere = isEnd && candidate.at == held.count
    return isNew && endsHere && candidate.count == 1 ? .clear(candidate.at) : .open
  }
}
