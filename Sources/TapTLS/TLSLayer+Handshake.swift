// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Applies the effects of handshake messages.
extension TLSLayer {
  mutating func take(
    handshake fragment: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    let direction = delivery.origin.direction
    var at = 0
    // Without their beginning, message boundaries are not known.
    if halves[direction].hasLostMessages { return }
    while let message = halves[direction].message(fragment, &at) {
      if message.isGivenUp {
        report.reportOnce(
          .recordIncomplete, .warning, delivery.origin, listener,
          "a TLS handshake message is given up, as \(Reservation.shortage)")
      }
      let changes = handshake.take(message, from: direction, at: halves[direction].stage)
      for change in changes {
        switch change {
        case .hello: settleHellos(delivery, listener)
        case .enters(let side, let stage): halves[side].enter(stage)
        case .updatesKeys:
          halves[direction].enter(.application, halves[direction].protection.keys?.updated)
        case .releases: release(listener)
        }
      }
    }
  }

  /// A hello was seen. With both, reports what cannot be decrypted, and releases records that
  /// waited for them.
  private mutating func settleHellos(_ delivery: Delivery, _ listener: any Listener) {
    guard handshake.isSettled else { return }
    enterHandshake()
    handshake.settledAt = delivery.origin.time
    if let obstacle = handshake.obstacle {
      report.reportClosed(
        .unsupported, .warning, handshake, delivery.origin, listener, "cannot be read: \(obstacle)")
      (halves.toServer.isSealed, halves.toClient.isSealed) = (true, true)
    } else if !secrets.isExpected {
      reportKeyMissing(delivery, listener)
      (halves.toServer.isSealed, halves.toClient.isSealed) = (true, true)
    }
    release(listener)
  }

  /// After the hellos of TLS 1.3, the client continues with the handshake keys.
  mutating func enterHandshake() {
    if halves.toServer.stage == .plain && handshake.isTLS13 && !handshake.clientRandom.isEmpty {
      halves.toServer.enter(handshake.offersEarlyData ? .early : .handshake)
    }
  }

  /// A ChangeCipherSpec of TLS 1.2 activates the negotiated keys (RFC 5246 §7.1); false when there
  /// are none.
  mutating func changeKeys(_ direction: Direction) -> Bool {
    guard let keys = schedule.masterKeys(isClient: halves[direction].isClient) else {
      return false
    }
    halves[direction].enter(.application, keys)
    return true
  }

  /// Finds the keys for a direction's stage; false when they are not known.
  mutating func loadKeys(_ direction: Direction) -> Bool {
    let keys = schedule.keys(of: halves[direction], isServerDone: isServerDone)
    return halves[direction].use(keys)
  }

  /// The server will not say more about early data, or that is lost.
  var isServerDone: Bool {
    halves.toClient.stage == .application || halves.toClient.hasLostMessages
  }
}
