// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Finds where frames begin, behind a hole or in mid-course: where a segment or a record does, and
/// two headers that say something follow each other. What is there is held until that is clear, as
/// the end of a frame whose beginning is lost may look like the header of another.
///
/// The answer depends on the bytes and their segments alone, not on how many of them were there
/// when it was asked.
struct HTTP2Search {
  /// A place from which on all looks like frames.
  private struct Candidate {
    var piece: Int
    /// Where its bytes begin, and where its next header does.
    var start: Int
    var at: Int
    /// Headers that say something.
    var count = 0
  }

  /// Where frames begin: the bytes before it, and the pieces.
  struct Beginning {
    var skipped: Int
    var piece: Int
  }

  /// In mid-course nothing hides that a frame was cut off: one that ends where its segment does is
  /// believed.
  let isNew: Bool
  private(set) var held: ReplayBuffer
  private var candidates: ContiguousArray<Candidate> = []

  init(isNew: Bool, _ limits: Limits) {
    (self.isNew, held) = (isNew, ReplayBuffer(limits.undecided))
  }

  /// No more may be held.
  mutating func isFull(_ limits: Limits) -> Bool {
    held.cost > limits.undecidedBytes || !held.mayStay()
  }

  /// Holds what comes; answers where frames begin, once that is clear.
  ///
  /// - Parameter highest: of the streams that there may be.
  mutating func look(_ bytes: RawSpan, _ delivery: Delivery, upTo highest: UInt32) -> Beginning? {
    if delivery.edges.contains(.start) {
      candidates.append(
        Candidate(piece: held.pieces.count, start: held.count, at: held.count))
    }
    held.append(bytes, delivery)
    // The one that is clear first, whatever was lent at once.
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

  /// Whether nothing that is held can begin frames.
  var isHopeless: Bool { candidates.isEmpty }

  /// No more will come: frames that end with it are believed, if one of them is of a stream that is
  /// known.
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
    /// From so many bytes on.
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
