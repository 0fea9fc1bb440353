// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The state of one direction of a TLS connection.
struct Half {
  let isClient: Bool
  var protection = RecordProtection()
  var records: RecordAssembler
  private var messages = HandshakeReader()
  /// An unfinished handshake message's share of `Limits.unfinishedBytes`.
  private var messageRoom: Reservation
  /// Set while the start or the number of the next record is not known.
  var search: RecordSearch?
  private(set) var trials: TrialAllowance
  /// The beginning of a handshake message is missing.
  var hasLostMessages = false
  /// Records are held until something needed to decrypt them is known.
  var isWaiting = false
  /// The records of this direction will not be decrypted any more.
  var isSealed = false
  /// Counts the records while they cannot be decrypted because their secret is missing, which may
  /// still come.
  var passed: RecordCounter?

  init(isClient: Bool, _ limits: Limits) {
    self.isClient = isClient
    (records, messageRoom) = (RecordAssembler(limits), Reservation(limits.unfinishedBytes))
    trials = TrialAllowance(limits)
  }

  var stage: RecordProtection.Stage { protection.stage }

  /// Its records are read in sequence.
  var isWalking: Bool { !isSealed && !isWaiting && search == nil }

  /// From the next record on, other keys apply.
  mutating func enter(
    _ stage: RecordProtection.Stage, _ keys: RecordKeys? = nil, isUnsure: Bool = false
  ) {
    protection.enter(stage, keys, isUnsure: isUnsure)
    messages = HandshakeReader()
    messageRoom.giveBack()
    records.room.giveBack()
    hasLostMessages = false
  }

  /// Uses the keys that were found for its stage; false when there are none.
  mutating func use(_ choice: KeySchedule.Choice) -> Bool {
    switch choice {
    case .unknown: return false
    case .ofStage(let keys): protection.keys = keys
    case .ofApplication(let keys, let isUnsure):
      enter(.application, keys, isUnsure: isUnsure)
    }
    return true
  }

  /// The next handshake message, if it is complete.
  mutating func message(_ content: RawSpan, _ at: inout Int) -> HandshakeReader.Message? {
    messages.next(content, &at, &messageRoom)
  }

  /// A gap within a record was skipped; the record counts.
  mutating func skipRecord() {
    protection.sequence &+= 1
    hasLostMessages = stage == .handshake
  }

  /// Searches for a record in the held bytes.
  ///
  /// - Parameters:
  ///   - isEnd: no more bytes will come to complete a record.
  ///   - opened: how many bytes of the connection were decrypted so far.
  mutating func find(
    isEnd: Bool, _ schedule: KeySchedule, opened: UInt64
  ) -> RecordSearch.Found? {
    guard search?.isExhausted == false else { return nil }
    let before = search!.tried
    let most = trials.most(opened: opened)
    if search!.candidates.isEmpty {
      // The candidates change only when more is known.
      let ofStrangers = schedule.handshake.clientRandom.isEmpty
      if !ofStrangers { schedule.secrets.refresh?() }
      let known = schedule.secrets.revision &+ schedule.handshake.known
      if search!.known == known { return nil }
      // Without a hello, keys of all sessions must be tried: derive them only if enough trials are
      // left.
      if most < (ofStrangers ? TrialAllowance.least : 1) {
        search!.exhaust()
        return nil
      }
      let candidates = schedule.candidates(for: self)
      (search!.candidates, search!.known) = (candidates, known)
      if ofStrangers { search!.countKeys() }
      if candidates.isEmpty { return nil }
    }
    let found = search!.find(isEnd: isEnd, most: before + most)
    let tried = search!.tried
    trials.spend(tried - before, found: found == nil ? 0 : tried)
    return found
  }

  /// Continues with a found record.
  mutating func resume(at found: RecordSearch.Found) {
    enter(found.candidate.stage, found.candidate.keys)
    protection.sequence = found.sequence
    hasLostMessages = stage == .handshake
  }

  /// Records that passed undecrypted can be decrypted from here on. Returns how many bytes passed.
  mutating func wake() -> Int {
    guard let passed else { return 0 }
    search = RecordSearch(behind: passed)
    (self.passed, isSealed) = (nil, false)
    return passed.octets
  }

  /// The sequence number of the first record with these keys that can contain application data.
  func firstApplication(isTLS13: Bool) -> UInt64 {
    RecordProtection.firstApplication(stage, isTLS13: isTLS13)
  }

  /// The key log labels of its handshake and application traffic secrets.
  var handshakeSecret: TLSSecrets.Label { isClient ? .clientHandshake : .serverHandshake }
  var trafficSecret: TLSSecrets.Label { isClient ? .clientTraffic : .serverTraffic }

  var who: String { isClient ? "the client" : "the server" }
}
