// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Records that cannot be opened yet: held until the hello or the secret that they need is there.
extension TLSLayer {
  mutating func hold(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    held.append(bytes, delivery)
    let mayStay = held.mayStay() && held.cost <= limits.waitingRecordBytes
    if !mayStay && !isReleasing { giveUpWaiting(delivery, listener) }
  }

  /// Lets go what waits if its secrets have come.
  mutating func releaseIfPossible(_ delivery: Delivery, _ listener: any Listener) {
    secrets.refresh?()
    // What waited for a hello is let go with it; all else waits for a secret, or early data for the
    // server to have said something of them.
    let revision = secrets.revision * 2 + (toClient.stage == .application ? 1 : 0)
    if revision == heldRevision { return }
    heldRevision = revision
    if secrets.knows(session.clientRandom) { release(listener) }
  }

  /// Lets go what waits; what still cannot be opened will wait again.
  mutating func release(_ listener: any Listener) {
    if isReleasing {
      mayReleaseAgain = true
      return
    }
    isReleasing = true
    repeat {
      mayReleaseAgain = false
      replay(listener)
    } while mayReleaseAgain && !held.isEmpty
    isReleasing = false
  }

  private mutating func replay(_ listener: any Listener) {
    let waiting = held
    held = ReplayBuffer(limits.waitingRecords)
    (toServer.isWaiting, toClient.isWaiting) = (false, false)
    waiting.replay(into: &self, listener)
  }

  /// No more can wait, or nothing more comes: says what is missing, and does without.
  mutating func giveUpWaiting(_ delivery: Delivery, _ listener: any Listener) {
    let mayOpen = secrets.count > 0 && !session.isSettled
    if session.isSettled {
      tellKeyMissing(delivery, listener)
    } else {
      report.tellHelloMissing(session, delivery.origin, listener)
    }
    for direction in [Direction.toServer, .toClient] {
      var side = delivery
      side.origin.direction = direction
      guard half(side).isWaiting else { continue }
      with(side) { half in
        // Without a hello, which secret fits can still be found out by trying.
        if mayOpen {
          half.search = RecordSearch(missing: 0, due: half.sequence)
        } else {
          half.isSealed = true
        }
      }
      if isSealed(side) { lose(side, listener) }
    }
    if session.isSettled && secrets.isExpected { awaitSecret() }
    release(listener)
  }
}
