// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Looks for a record in bytes behind a hole. Only one thing is evidence: that it opens. So keys
/// and sequence numbers are tried, within bounds, where the form of a header says that one may
/// begin.
struct RecordSearch {
  /// Keys that the next record may have, and from which sequence number on.
  struct Candidate {
    var keys: RecordKeys
    var first: UInt64
    var stage: RecordProtection.Stage
    /// How many KeyUpdates lie between the keys of the direction and these; nil for keys of another
    /// stage.
    var generation: Int?
    /// Of the client, in the session that the keys are of.
    var random: [UInt8]
  }

  struct Found {
    /// Where the record begins in what is held.
    var offset: Int
    var candidate: Candidate
    var sequence: UInt64

    /// Whether something that could have been passed up is missing before the record.
    ///
    /// - Parameters:
    ///   - half: the direction as it was before.
    ///   - search: what found it.
    ///   - isMidstream: the capture began in mid-course.
    func isBehindLoss(
      _ half: Half, _ search: RecordSearch, _ session: HandshakeState, isMidstream: Bool
    ) -> Bool {
      let first = RecordProtection.firstApplication(candidate.stage, isTLS13: session.isTLS13)
      if candidate.generation == 0 { return sequence > max(search.due, first) }
      // Where the keys before these ended is not known.
      if candidate.generation != nil { return true }
      if half.stage == .early && session.acceptsEarlyData != false { return true }
      return sequence > first && !isMidstream
    }
  }

  /// Nothing is missing, but records went by unopened until their secret came.
  private(set) var isLate = false
  /// The least number that the next record can have then, and how many behind it are tried; nil for
  /// as many as what is missing has room for.
  private(set) var (first, most) = (UInt64(0), UInt64?.none)
  /// KeyUpdates that may have gone by then: how many, and the number of the next record with the
  /// keys behind them.
  private(set) var updates: [(generation: Int, first: UInt64)] = []
  /// What to try, in this order; asked for when it is not known.
  var candidates: [Candidate] = []
  /// What was known when they were asked for.
  var known = -1
  /// Bytes that were not captured; nil when their number is not known.
  private(set) var missing: Int?
  /// The number that was due when the hole came, to tell how many records are missing.
  let due: UInt64
  private(set) var held = Scratch()
  /// Bytes that were held before another hole.
  private(set) var dropped = 0
  private(set) var pieces: [(start: Int, delivery: Delivery)] = []
  /// No record begins before this.
  private var tested = 0
  /// Bytes that were opened for trial so far.
  private(set) var tried = 0
  /// There was no leave to try on.
  private(set) var isExhausted = false

  init(missing: Int?, due: UInt64) { (self.missing, self.due) = (missing, due) }

  /// Behind records that went by unopened until their secret came.
  init(behind passed: RecordCounter) {
    self.init(missing: nil, due: 0)
    isLate = true
    first = UInt64(max(0, (passed.records ?? 0) - Self.mostHandshakeRecords))
    if passed.records != nil { most = UInt64(Self.mostHandshakeRecords + 1) }
    updates = passed.updates
  }

  /// How many of the records that went by may be of the handshake, which counts by itself.
  private static let mostHandshakeRecords = 24

  var count: Int { held.count }
  /// Roughly what is held takes in memory: many tiny pieces must not pass for little.
  var cost: Int { max(held.count, pieces.count &* ReplayBuffer.leastCost) }

  mutating func append(_ bytes: RawSpan, _ delivery: Delivery) {
    pieces.append((held.count, delivery))
    held.append(bytes)
  }

  /// Another hole: what is held had no record in it.
  mutating func drop(missing more: Int?) {
    missing = missing.flatMap { old in more.map { old + held.count + $0 } }
    dropped += held.count
    held.removeAll()
    pieces.removeAll()
    tested = 0
  }

  /// There is no leave to try anything.
  mutating func exhaust() { isExhausted = true }

  /// To make keys costs as much as to try them a few times.
  mutating func countKeys() { tried += candidates.count * Self.costOfKeys }

  private static let costOfKeys = 8 << 10

  /// Where the byte at `offset` of what is held came from.
  func place(of offset: Int) -> Delivery? {
    guard let piece = pieces.last(where: { $0.start <= offset }) else { return nil }
    return piece.delivery.advanced(by: offset - piece.start)
  }

  /// - Parameters:
  ///   - isEnd: nothing more comes to complete a record.
  ///   - most: bytes that may be tried in all.
  mutating func find(isEnd: Bool, most: Int) -> Found? {
    while tested + Record.headerSize <= held.count {
      guard let record = Record.parse(held.bytes, at: tested), isPossible(record) else {
        tested += 1
        continue
      }
      if tested + record.size > held.count {
        // Wait for the rest of it, if it is one.
        if !isEnd { return nil }
        tested += 1
        continue
      }
      var left = most - tried
      let found = attempt(record, &left)
      tried = most - left
      if let found { return found }
      isExhausted = left <= 0
      if isExhausted { return nil }
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
    // So many records fit into what is missing; without that number, a lot.
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
    for candidate in candidates {
      for number in 0...most {
        if budget <= 0 { return nil }
        // Short records cost as much to try as they do to set up.
        budget -= max(bytes.byteCount, 512)
        let sequence = candidate.first &+ number
        if candidate.keys.open(bytes, sequence: sequence, into: &plain) != nil {
          return (candidate, sequence)
        }
      }
    }
    return nil
  }
}
