// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Possible messages that wait until something confirms them. Only the latest are kept.
struct HeldCandidates {
  private static let most = 64
  /// How many bytes one may have.
  private let mostOctets: Int
  /// A ring, once there are as many as may be.
  private var held: [LogTurns.Message] = []
  /// Their turns, at the same places.
  private var turns: [UInt64] = []
  /// Where the oldest of them is.
  private var oldest = 0
  /// The turn of the one that came last.
  private var latest: UInt64 = 0
  /// How many were dropped unconfirmed.
  private var dropped: UInt64 = 0

  init(mostOctets: Int) { self.mostOctets = mostOctets }

  /// How many are unconfirmed so far: those that wait, and those that were dropped.
  var untaken: UInt64 { dropped + UInt64(held.count) }

  var isEmpty: Bool { held.isEmpty }

  /// The turn of the earliest that waits, of those from a turn on.
  func earliest(from turn: UInt64) -> UInt64? {
    if turn > latest { return nil }
    return turns[oldest...].first { $0 >= turn } ?? turns[..<oldest].first { $0 >= turn }
  }

  mutating func add(_ candidate: LogCandidate, _ bytes: RawSpan, at turn: UInt64) {
    guard bytes.byteCount <= mostOctets else {
      dropped += 1
      return
    }
    latest = turn
    if held.count < Self.most {
      turns.append(turn)
      return held.append((candidate, bytes.copied(), turn))
    }
    (held[oldest], turns[oldest]) = ((candidate, bytes.copied(), turn), turn)
    oldest = (oldest + 1) % Self.most
    dropped += 1
  }

  /// Takes out those that are confirmed now, the oldest first.
  mutating func release(where isMessage: (LogCandidate) -> Bool) -> [LogTurns.Message] {
    if held.isEmpty { return [] }
    held = Array(held[oldest...] + held[..<oldest])
    oldest = 0
    let released = held.filter { isMessage($0.candidate) }
    held.removeAll { isMessage($0.candidate) }
    turns = held.map(\.turn)
    return released
  }
}
