// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Possible messages that wait until something confirms them. Only the latest are kept.
struct HeldCandidates {
  private static let most = 64
  /// How many bytes one may have.
  private let mostOctets: Int
  /// A ring, once there are as many as may be.
  private var held: [(candidate: LogCandidate, bytes: [UInt8])] = []
  /// Where the oldest of them is.
  private var oldest = 0
  /// How many were dropped unconfirmed.
  private var dropped: UInt64 = 0

  init(mostOctets: Int) { self.mostOctets = mostOctets }

  /// How many are unconfirmed so far: those that wait, and those that were dropped.
  var untaken: UInt64 { dropped + UInt64(held.count) }

  mutating func add(_ candidate: LogCandidate, _ bytes: RawSpan) {
    guard bytes.byteCount <= mostOctets else {
      dropped += 1
      return
    }
    if held.count < Self.most { return held.append((candidate, bytes.copied())) }
    held[oldest] = (candidate, bytes.copied())
    oldest = (oldest + 1) % Self.most
    dropped += 1
  }

  /// Takes out those that are confirmed now, the oldest first.
  mutating func release(
    where isMessage: (LogCandidate) -> Bool
  ) -> [(candidate: LogCandidate, bytes: [UInt8])] {
    if held.isEmpty { return [] }
    held = Array(held[oldest...] + held[..<oldest])
    oldest = 0
    let released = held.filter { isMessage($0.candidate) }
    held.removeAll { isMessage($0.candidate) }
    return released
  }
}
