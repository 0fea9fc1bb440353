// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// TLS 1.2 and 1.3 (RFC 5246, RFC 8446), opened with the secrets of a key log, as a bystander reads
/// it. Certificates are not looked at, and nothing is broken: without a secret the records stay
/// closed, which is said and counted.
///
/// Whatever is passed up was authenticated. Records whose secret is not known yet are held, within
/// bounds, until it is.
public struct TLSLayer: Layer {
  var session = Session()
  var toServer: Half
  var toClient: Half
  var above: any Layer = NullLayer()
  var hasAbove = false
  var isAboveSettled = false
  /// What waits for secrets or for a hello.
  var held: ReplayBuffer
  var wait = WaitNotice()
  /// What was known when it was last tried.
  var heldRevision = -1
  /// What searches have given back, the next bytes last.
  var found: [FoundOctets] = []
  var trials: TrialAllowance
  var isReleasing = false
  /// Something was learned while what waited was let go: it may go once more.
  var mayReleaseAgain = false
  var report: TLSReport
  var hasOpened = false
  /// When both hellos were there.
  var settled = Instant.unknown
  /// A direction that is closed is opened again when its secret comes.
  var isAwaiting = false
  /// How many secrets there were when a direction was closed for lack of one, when they are looked
  /// for next, and how often they could have been.
  var (knownSecrets, nextLook, looksPassed) = (0, Int64.min, 0)
  let opening: Opening
  let chooser: any Chooser
  let secrets: Secrets
  let limits: Limits

  /// - Parameters:
  ///   - opening: the stream that is TLS.
  ///   - chooser: chooses what carries on with the content.
  ///   - secrets: of all sessions; may grow.
  public init(
    _ opening: Opening, _ chooser: any Chooser, secrets: Secrets, limits: Limits
  ) {
    (self.opening, self.chooser) = (opening, chooser)
    (self.secrets, self.limits, trials) = (secrets, limits, TrialAllowance(limits))
    (report, held) = (TLSReport(opening, secrets), ReplayBuffer(limits.waitingRecords))
    (toServer, toClient) = (Half(isClient: true, limits), Half(isClient: false, limits))
    if !opening.isFromStart {
      toServer.search = RecordSearch(missing: nil, due: 0)
      toClient.search = RecordSearch(missing: nil, due: 0)
    }
  }

  public mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if !held.isEmpty && !isReleasing {
      releaseIfPossible(delivery, listener)
      if !held.isEmpty { tellDelay(delivery, listener) }
    }
    let base = found.count
    var at = step(bytes, delivery, listener)
    readFound(above: base, listener)
    while at < bytes.byteCount {
      at &+= step(bytes.dropping(at), delivery.advanced(by: at), listener)
      readFound(above: base, listener)
    }
    tellWaiting(delivery, listener)
  }

  /// Says whether something waits to be opened.
  private mutating func tellWaiting(_ delivery: Delivery, _ listener: any Listener) {
    let isSearching = (toServer.search?.count ?? 0) + (toClient.search?.count ?? 0) > 0
    if isSearching || !held.isEmpty {
      wait.begin(delivery.origin, listener)
    } else {
      wait.end(listener)
    }
  }

  /// Reads on until what is done with the bytes changes; answers how many were taken. What calls
  /// this goes on behind them: nothing here calls itself, however often records are lost and found.
  mutating func step(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) -> Int {
    if isSealed(delivery) && !wakes(delivery, listener) {
      pass(sealed: bytes, delivery, listener)
      return bytes.byteCount
    }
    if isWaiting(delivery) {
      hold(bytes, delivery, listener)
      return bytes.byteCount
    }
    if isSearching(delivery) { return search(bytes, delivery, listener) }
    return walk(bytes, delivery, listener)
  }

  public mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    if isSealed(delivery) { return with(delivery) { $0.passed?.miss() } }
    if isWaiting(delivery) { return held.append(gap: missing, delivery) }
    miss(missing, delivery, listener)
    tellWaiting(delivery, listener)
  }

  public mutating func finish(
    _ ending: Ending, _ delivery: Delivery, _ listener: any Listener
  ) {
    if !held.isEmpty && !isReleasing { releaseIfPossible(delivery, listener) }
    if ending == .half {
      if isWaiting(delivery) { return held.append(half: delivery) }
      flush(delivery, listener)
    } else {
      if !held.isEmpty { giveUpWaiting(delivery, listener) }
      for direction in [Direction.toServer, .toClient] {
        var side = delivery
        side.origin.direction = direction
        flush(side, listener)
      }
    }
    tellWaiting(delivery, listener)
    above.finish(ending, delivery, listener)
  }

  func isSealed(_ delivery: Delivery) -> Bool {
    delivery.origin.direction == .toServer ? toServer.isSealed : toClient.isSealed
  }

  func isWaiting(_ delivery: Delivery) -> Bool {
    delivery.origin.direction == .toServer ? toServer.isWaiting : toClient.isWaiting
  }

  func isSearching(_ delivery: Delivery) -> Bool {
    delivery.origin.direction == .toServer ? toServer.search != nil : toClient.search != nil
  }

  var schedule: KeySchedule { KeySchedule(session: session, secrets: secrets) }

  /// A copy, to look at.
  func half(_ delivery: Delivery) -> Half {
    delivery.origin.direction == .toServer ? toServer : toClient
  }

  /// Changes the half of a direction in its place.
  mutating func with<Answer>(
    _ delivery: Delivery, _ body: (inout Half) -> Answer
  ) -> Answer {
    delivery.origin.direction == .toServer ? body(&toServer) : body(&toClient)
  }

  /// Nothing more comes in one direction.
  private mutating func flush(_ delivery: Delivery, _ listener: any Listener) {
    endSearch(delivery, listener)
    let count = with(delivery) { half in
      let count = half.carry.count
      half.carry.removeAll()
      return count
    }
    if count == 0 { return }
    listener.account(.incomplete, count)
    listener.finding(
      Finding(
        .recordIncomplete, .warning, delivery.origin,
        "a TLS record ends unfinished: \(counted(count, "byte")) of it were captured, and stay"
          + " closed"))
  }
}
