// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapLibraries
import TapTraffic

/// Connections that stay closed: each is told once, with what its handshake says of it, and those
/// that only lack a secret are opened from there on where it comes late.
extension TLSLayer {
  /// How many of the records that go by may be of the handshake, which counts by itself.
  private static let mostHandshakeRecords = 24
  /// Capture time between two looks for a secret, in nanoseconds.
  private static let pause: Int64 = 1_000_000_000

  mutating func tellKeyMissing(_ delivery: Delivery, _ listener: any Listener) {
    let closed = [toServer, toClient].filter { $0.isWaiting || $0.isSealed }
    report.tellKeyMissing(session, closed: hasAbove ? closed : nil, delivery.origin, listener)
  }

  /// What waits has waited for long: says why nothing of it is shown.
  mutating func tellDelay(_ delivery: Delivery, _ listener: any Listener) {
    let time = delivery.origin.time
    guard session.isSettled, settled.isKnown, time.isKnown,
      time.nanoseconds &- settled.nanoseconds >= limits.patience
    else { return }
    tellKeyMissing(delivery, listener)
  }

  /// From here on records go by unopened, unless a secret comes.
  mutating func awaitSecret() {
    (isAwaiting, knownSecrets) = (true, secrets.count)
    let isTLS13 = session.isTLS13
    toServer.passed = RecordCounter(isTLS13: isTLS13)
    toClient.passed = RecordCounter(isTLS13: isTLS13)
  }

  /// Bytes of a direction that stays closed.
  mutating func pass(sealed bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    listener.account(.sealed, bytes.byteCount)
    if delivery.origin.direction == .toServer {
      toServer.passed?.pass(bytes)
    } else {
      toClient.passed?.pass(bytes)
    }
  }

  /// Whether a direction that was closed is looked into again, as its secret has come.
  mutating func wakes(_ delivery: Delivery, _ listener: any Listener) -> Bool {
    guard isAwaiting, with(delivery, { $0.passed != nil }) else { return false }
    let time = delivery.origin.time
    // A file is read faster than its time goes by.
    looksPassed &+= 1
    let isDue = !time.isKnown || time.nanoseconds >= nextLook || looksPassed & 0xFF == 0
    if secrets.count == knownSecrets && isDue {
      nextLook = time.nanoseconds &+ Self.pause
      secrets.refresh?()
    }
    if secrets.count == knownSecrets { return false }
    guard secrets.knows(session.clientRandom), Libcrypto.isLoaded else {
      knownSecrets = secrets.count
      return false
    }
    let who = half(delivery).who
    let octets = with(delivery) { half in
      let passed = half.passed!
      (half.passed, half.isSealed) = (nil, false)
      half.search = RecordSearch(missing: nil, due: 0)
      let first = max(0, (passed.records ?? 0) - Self.mostHandshakeRecords)
      half.search!.isLate = true
      half.search!.first = UInt64(first)
      if passed.records != nil { half.search!.most = UInt64(Self.mostHandshakeRecords + 1) }
      half.search!.updates = passed.updates
      return passed.octets
    }
    report.tell(
      .keyLate, .warning, delivery.origin, listener,
      "a secret has come for \(session.words), after \(counted(octets, "byte")) of \(who) had gone"
        + " by: these stay closed, and the next record that opens is looked for")
    return true
  }
}
