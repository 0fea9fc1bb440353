// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// What is kept of one direction of a TLS connection.
struct Half {
  let isClient: Bool
  var protection = RecordProtection()
  var records: RecordAssembler
  private var messages = HandshakeReader()
  /// The share of a message of the handshake of `Limits.unfinishedBytes`.
  private var messageRoom: Reservation
  /// Set while it is not known where a record begins, or which it is.
  var search: RecordSearch?
  /// In the handshake, a hole has swallowed the beginning of a message.
  var hasLostMessages = false
  /// Records cannot be opened before something else is known; they are held.
  var isWaiting = false
  /// The records of this direction will not be opened any more.
  var isSealed = false
  /// What goes by while they are closed for lack of a secret that may still come.
  var passed: RecordCounter?

  init(isClient: Bool, _ limits: Limits) {
    self.isClient = isClient
    (records, messageRoom) = (RecordAssembler(limits), Reservation(limits.unfinishedBytes))
  }

  var stage: RecordProtection.Stage { protection.stage }

  /// Its records are read one after the other.
  var isWalking: Bool { !isSealed && !isWaiting && search == nil }

  /// From the next record on, other keys are in use.
  mutating func enter(
    _ stage: RecordProtection.Stage, _ keys: RecordKeys? = nil, isUnsure: Bool = false
  ) {
    protection.enter(stage, keys, isUnsure: isUnsure)
    messages = HandshakeReader()
    messageRoom.giveBack()
    records.room.giveBack()
    hasLostMessages = false
  }

  /// Uses the keys that were found for its stage; answers false when there are none.
  mutating func use(_ choice: KeySchedule.Choice) -> Bool {
    switch choice {
    case .unknown: return false
    case .ofStage(let keys): protection.keys = keys
    case .ofApplication(let keys, let isUnsure):
      enter(.application, keys, isUnsure: isUnsure)
    }
    return true
  }

  /// The next message of the handshake, when it is complete.
  mutating func message(_ content: RawSpan, _ at: inout Int) -> HandshakeReader.Message? {
    messages.next(content, &at, &messageRoom)
  }

  /// What is missing ends within a record, which counts.
  mutating func skipRecord() {
    protection.sequence &+= 1
    hasLostMessages = stage == .handshake
  }

  /// Looks for a record in what its search holds.
  ///
  /// - Parameters:
  ///   - isEnd: nothing more comes to complete a record.
  ///   - opened: bytes that the connection has opened so far.
  mutating func find(
    isEnd: Bool, _ schedule: KeySchedule, _ trials: inout TrialAllowance, opened: UInt64
  ) -> RecordSearch.Found? {
    guard search?.isExhausted == false else { return nil }
    let before = search!.tried
    let most = trials.most(opened: opened)
    if search!.candidates.isEmpty {
      // What can be tried changes only with what is known.
      let ofStrangers = schedule.handshake.clientRandom.isEmpty
      if !ofStrangers { schedule.secrets.refresh?() }
      let known = schedule.secrets.revision &+ schedule.handshake.known
      if search!.known == known { return nil }
      // Keys of strangers are many, and not made for nothing.
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

  /// Goes on with a record that was found.
  mutating func resume(at found: RecordSearch.Found) {
    enter(found.candidate.stage, found.candidate.keys)
    protection.sequence = found.sequence
    hasLostMessages = stage == .handshake
  }

  /// Records that went by unopened may be opened from here on. Answers how many bytes went by.
  mutating func wake() -> Int {
    guard let passed else { return 0 }
    search = RecordSearch(behind: passed)
    (self.passed, isSealed) = (nil, false)
    return passed.octets
  }

  /// The number of the first record with these keys that can carry something for the layer above.
  func firstApplication(isTLS13: Bool) -> UInt64 {
    RecordProtection.firstApplication(stage, isTLS13: isTLS13)
  }

  /// What a key log calls the secrets of its handshake, and of its application data.
  var handshakeSecret: Secrets.Label { isClient ? .clientHandshake : .serverHandshake }
  var trafficSecret: Secrets.Label { isClient ? .clientTraffic : .serverTraffic }

  var who: String { isClient ? "the client" : "the server" }
}
