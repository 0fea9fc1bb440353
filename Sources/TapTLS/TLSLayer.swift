// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Decrypts TLS 1.2 and 1.3 (RFC 5246, RFC 8446) passively with the secrets of a key log.
/// Certificates are not checked, and no encryption is broken: without a secret, records stay
/// encrypted, which is reported and counted.
///
/// Everything passed up was authenticated. Records whose secret is not known yet are held, within
/// limits, until it is.
public struct TLSLayer: Layer {
  var handshake = HandshakeState()
  var halves: Halves
  var content: ApplicationData
  var waiting: WaitingRecords
  /// Bytes found by searches, the next ones last.
  var found: [FoundOctets] = []
  var report: TLSReport
  var hasOpened = false
  /// Set when directions were given up for lack of a secret: they are decrypted when it comes.
  var late: LateSecretWatch?
  let opening: Opening
  let secrets: TLSSecrets
  let limits: Limits

  /// - Parameters:
  ///   - opening: the TLS stream.
  ///   - chooser: chooses the layer for the content.
  ///   - secrets: the secrets of all sessions; more may come.
  public init(
    _ opening: Opening, _ chooser: any Chooser, secrets: TLSSecrets, limits: Limits
  ) {
    (self.opening, self.secrets, self.limits) = (opening, secrets, limits)
    waiting = WaitingRecords(limits)
    report = TLSReport(opening, secrets)
    content = ApplicationData(opening, chooser)
    halves = Halves(limits)
    if !opening.isFromStart {
      halves.toServer.search = RecordSearch(missing: nil, due: 0)
      halves.toClient.search = RecordSearch(missing: nil, due: 0)
    }
  }

  public mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if !waiting.isEmpty && !waiting.isReleasing {
      releaseIfPossible(listener)
      if !waiting.isEmpty { reportDelay(delivery, listener) }
    }
    let base = found.count
    var at = step(bytes, delivery, listener)
    readFound(above: base, listener)
    while at < bytes.byteCount {
      at &+= step(bytes.dropping(at), delivery.advanced(by: at), listener)
      readFound(above: base, listener)
    }
    waiting.report(isSearching: halves.isSearching, delivery.origin, listener)
  }

  /// Reads until the way of handling the bytes changes; returns how many were taken. The caller
  /// continues after them, so there is no recursion, however often records are lost and found.
  mutating func step(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) -> Int {
    let direction = delivery.origin.direction
    if halves[direction].isWalking { return walk(bytes, delivery, listener) }
    if halves[direction].isSealed && !wakes(delivery, listener) {
      listener.account(.sealed, bytes.byteCount)
      halves[direction].passed?.pass(bytes)
      return bytes.byteCount
    }
    if halves[direction].isWaiting {
      hold(bytes, delivery, listener)
      return bytes.byteCount
    }
    return search(bytes, delivery, listener)
  }

  public mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    let direction = delivery.origin.direction
    if halves[direction].isSealed {
      halves[direction].passed?.miss()
      return
    }
    if halves[direction].isWaiting { return waiting.hold(gap: missing, delivery) }
    miss(missing, delivery, listener)
    waiting.report(isSearching: halves.isSearching, delivery.origin, listener)
  }

  public mutating func finish(
    _ ending: Ending, _ delivery: Delivery, _ listener: any Listener
  ) {
    if !waiting.isEmpty && !waiting.isReleasing { releaseIfPossible(listener) }
    if ending == .half {
      if halves[delivery.origin.direction].isWaiting { return waiting.hold(half: delivery) }
      flush(delivery, listener)
      report.hasEnd = true
    } else {
      if !waiting.isEmpty { giveUpWaiting(delivery, listener) }
      for side in delivery.ofBothDirections { flush(side, listener) }
    }
    waiting.report(isSearching: halves.isSearching, delivery.origin, listener)
    content.finish(ending, delivery, listener)
  }

  /// One direction has ended.
  private mutating func flush(_ delivery: Delivery, _ listener: any Listener) {
    endSearch(delivery, listener)
    let count = halves[delivery.origin.direction].records.end()
    if count == 0 { return }
    listener.account(.incomplete, count)
    report.reportUnfinished(count, delivery.origin, listener)
  }

  var schedule: KeySchedule { KeySchedule(handshake: handshake, secrets: secrets) }
}

extension Delivery {
  /// The same delivery for each direction.
  var ofBothDirections: [Delivery] {
    [Direction.toServer, .toClient].map { direction in
      var side = self
      side.origin.direction = direction
      return side
    }
  }
}
