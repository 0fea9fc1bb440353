// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Records with a missing secret: they wait for it, within limits, or stay encrypted, which is
/// reported once, until it comes late.
extension TLSLayer {
  mutating func hold(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    if !waiting.hold(bytes, delivery) { giveUpWaiting(delivery, listener) }
  }

  /// Releases waiting records if their secrets have come.
  mutating func releaseIfPossible(_ listener: any Listener) {
    secrets.refresh?()
    // Records that waited for a hello are released with it. The others wait for a secret, or early
    // data for the server's answer to it.
    let revision = secrets.revision * 2 + (halves.toClient.stage == .application ? 1 : 0)
    if waiting.beginTry(revision), secrets.knows(handshake.clientRandom) {
      release(listener)
    }
  }

  /// Releases waiting records; those that still cannot be decrypted wait again.
  mutating func release(_ listener: any Listener) {
    if !waiting.beginRelease() { return }
    repeat {
      let held = waiting.takeAll()
      (halves.toServer.isWaiting, halves.toClient.isWaiting) = (false, false)
      held.replay(into: &self, listener)
    } while waiting.mayReleaseAgain()
  }

  /// The limit is reached or the stream has ended: reports what is missing, and continues without
  /// it.
  mutating func giveUpWaiting(_ delivery: Delivery, _ listener: any Listener) {
    let mayOpen = secrets.count > 0 && !handshake.isSettled
    if handshake.isSettled {
      reportKeyMissing(delivery, listener)
    } else {
      report.reportHelloMissing(handshake, delivery.origin, listener)
    }
    for var side in delivery.ofBothDirections {
      let direction = side.origin.direction
      guard halves[direction].isWaiting else { continue }
      // Without a hello, the right secret can still be found by trying.
      if mayOpen {
        halves[direction].search = RecordSearch(
          missing: 0, due: halves[direction].protection.sequence)
      } else {
        halves[direction].isSealed = true
      }
      side.edges = .sealed
      if halves[direction].isSealed { content.lose(side, listener) }
    }
    if handshake.isSettled && secrets.isExpected {
      // From here on, records pass undecrypted unless a secret comes.
      late = LateSecretWatch(secrets)
      halves.toServer.passed = RecordCounter(isTLS13: handshake.isTLS13)
      halves.toClient.passed = RecordCounter(isTLS13: handshake.isTLS13)
    }
    release(listener)
  }

  mutating func reportKeyMissing(_ delivery: Delivery, _ listener: any Listener) {
    report.reportKeyMissing(
      handshake, closed: content.isOpen ? halves.closed : nil, delivery.origin, listener)
  }

  /// Records have waited for long: reports why they are not shown.
  mutating func reportDelay(_ delivery: Delivery, _ listener: any Listener) {
    let (time, since) = (delivery.origin.time, handshake.settledAt)
    guard handshake.isSettled, since.isKnown, time.isKnown,
      time.nanoseconds &- since.nanoseconds >= limits.gapTimeout
    else { return }
    reportKeyMissing(delivery, listener)
  }

  /// Whether a direction that was given up is read again, as its secret has come.
  mutating func wakes(_ delivery: Delivery, _ listener: any Listener) -> Bool {
    let direction = delivery.origin.direction
    guard late != nil, halves[direction].passed != nil,
      late!.finds(handshake.clientRandom, at: delivery.origin.time)
    else { return false }
    let octets = halves[direction].wake()
    report.report(
      .keyLate, .warning, delivery.origin, listener,
      "a secret has come for \(handshake.words), after \(counted(octets, "byte")) of"
        + " \(halves[direction].who) had gone by: these stay closed, and the next record that opens"
        + " is looked for")
    return true
  }
}
