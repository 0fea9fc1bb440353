// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Searches for a record in the bytes after a gap. The only proof is that it can be decrypted, so
/// keys and sequence numbers are tried, within limits, wherever the bytes look like a record
/// header.
struct RecordSearch {
  /// Keys to try for the next record, and the first sequence number.
  struct Candidate {
    var keys: RecordKeys
    var first: UInt64
    var stage: RecordProtection.Stage
    /// How many KeyUpdates after the direction's current keys, or after the session's first; nil
    /// for keys of another stage.
    var generation: Int?
    /// The client random of the keys' session.
    var random: [UInt8]

    /// About how many records the keys may have: a handshake is short.
    var most: UInt64 {
      stage == .application ? .max : UInt64(RecordSearch.mostHandshakeRecords)
    }
  }

  struct Found {
    /// The offset of the record in the held bytes.
    var offset: Int
    var candidate: Candidate
    var sequence: UInt64

    /// Whether application data may be missing before the record.
    ///
    /// - Parameters:
    ///   - half: the direction's state before.
    ///   - search: the search that found it.
    ///   - isMidstream: it is the first record of a connection whose beginning was not captured.
    func isBehindLoss(
      _ half: Half, _ search: RecordSearch, _ session: HandshakeState, isMidstream: Bool
    ) -> Bool {
      let first = RecordProtection.firstApplication(candidate.stage, isTLS13: session.isTLS13)
      if candidate.generation == 0 { return sequence > max(search.due, first) }
      // The number of records with the earlier keys is not known.
      if candidate.generation != nil { return !isMidstream }
      if half.stage == .early && session.acceptsEarlyData != false { return true }
      return sequence > first && !isMidstream
    }
  }

  /// There is no gap: records passed undecrypted until their secret came.
  private(set) var isLate = false
  /// For late secrets: the lowest possible number of the next record, and how many after it to try;
  /// nil for as many as fit into the missing bytes.
  private(set) var (first, most) = (UInt64(0), UInt64?.none)
  /// KeyUpdates that may have passed: how many, and the next record's number under the resulting
  /// keys.
  private(set) var updates: [(generation: Int, first: UInt64)] = []
  /// The candidates, in order; filled when needed.
  var candidates: [Candidate] = []
  /// The state of knowledge when the candidates were made.
  var known = -1
  /// The number of missing bytes; nil when not known.
  private(set) var missing: Int?
  /// The expected sequence number at the gap, to report how many records are missing.
  let due: UInt64
  private(set) var held = Scratch()
  /// How many held bytes were dropped at further gaps.
  private(set) var dropped = 0
  private(set) var pieces: [(start: Int, delivery: Delivery)] = []
  /// No record begins before this offset.
  private var tested = 0
  /// How many bytes were tried so far.
  private(set) var tried = 0
  /// The allowance for trials is used up.
  private(set) var isExhausted = false

  init(missing: Int?, due: UInt64) { (self.missing, self.due) = (missing, due) }

  /// A search after undecrypted records whose secret came late.
  init(behind passed: RecordCounter) {
    self.init(missing: nil, due: 0)
    isLate = true
    first = UInt64(max(0, (passed.records ?? 0) - Self.mostHandshakeRecords))
    if passed.records != nil { most = UInt64(Self.mostHandshakeRecords + 1) }
    updates = passed.updates
  }

  /// How many of the passed records may belong to the handshake, which has its own numbers.
  private static let mostHandshakeRecords = 24

  var count: Int { held.count }
  /// The approximate memory of the held bytes, as many tiny pieces need more than their sizes.
  var cost: Int { max(held.count, pieces.count &* ReplayBuffer.leastCost) }

  mutating func append(_ bytes: RawSpan, _ delivery: Delivery) {
    pieces.append((held.count, delivery))
    held.append(bytes)
  }

  /// Another gap: the held bytes contained no record.
  mutating func drop(missing more: Int?) {
    missing = missing.flatMap { old in more.map { old + held.count + $0 } }
    dropped += held.count
    held.removeAll()
    pieces.removeAll()
    tested = 0
  }

  /// The allowance for trials is used up.
  mutating func exhaust() { isExhausted = true }

  /// Deriving keys costs as much as a few trials.
  mutating func countKeys() { tried += candidates.count * Self.costOfKeys }

  private static let costOfKeys = 8 << 10

  /// The origin of the held byte at `offset`.
  func place(of offset: Int) -> Delivery? {
    guard let piece = pieces.last(where: { $0.start <= offset }) else { return nil }
    return piece.delivery.advanced(by: offset - piece.start)
  }

  /// - Parameters:
  ///   - isEnd: no more bytes will come to complete a record.
  ///   - most: how many bytes may be tried in total.
  mutating func find(isEnd: Bool, most: Int) -> Found? {
    while tested + Record.headerSize <= held.count {
      guard let record = Record.parse(held.bytes, at: tested), isPossible(record) else {
        tested += 1
        continue
      }
      if tested + record.size > held.count {
        // Wait for the rest, in case it is a record.
        if !isEnd { return nil }
        tested += 1
        continue
      }
      let left = most - tried
      isExhausted = left < TrialAllowance.least
      if isExhausted { return nil }
      // A record that was changed must not use up what those behind it need.
      let share = max(left / 2, TrialAllowance.least)
      var rest = share
      let found = attempt(record, &rest)
      tried += share - rest
      if let found { return found }
      tested += 1
    }
    return nil
  }

  private func isPossible(_ record: Record) -> Bool {
    guard record.version == 0x0303 else { return false }
    return candidates.contains { candidate in
      candidate.keys.isTLS13
        ? record.type == Record.Kind.applicationData && record.length <= 16384 + 256
          && record.length >= candidate.keys.leastOverhead
        : record.isPlausible && record.length >= candidate.keys.leastOverhead
    }
  }

  private func attempt(_ record: Record, _ left: inout Int) -> Found? {
    // The most records that fit into the missing bytes; if their number is not known, many.
    let room = UInt64(((missing ?? 0) + tested) / (Record.headerSize + 17) + 1)
    let most = self.most.map { $0 + room } ?? (missing == nil ? 4096 : room)
    let found = Self.attempt(
      held.bytes.extracting(tested..<tested + record.size), candidates, most: most, &left)
    return found.map { Found(offset: tested, candidate: $0.candidate, sequence: $0.sequence) }
  }

  private static func attempt(
    _ bytes: RawSpan, _ candidates: [Candidate], most: UInt64, _ budget: inout Int
  ) -> (candidate: Candidate, sequence: UInt64)? {
    var plain = Scratch()
    // The low numbers of all keys first: most connections are short.
    var (low, high) = (UInt64(0), min(UInt64(8), most &+ 1))
    while low <= most {
      for candidate in candidates where low < candidate.most {
        for number in low..<high {
          if budget <= 0 { return nil }
          // The setup dominates the cost.
          budget -= 512
          let sequence = candidate.first &+ number
          guard candidate.keys.mayOpen(bytes, sequence: sequence) else { continue }
          budget -= bytes.byteCount
          if candidate.keys.open(bytes, sequence: sequence, into: &plain) != nil {
            return (candidate, sequence)
          }
        }
      }
      (low, high) = (high, min(high &* 8, most &+ 1))
    }
    return nil
  }
}
