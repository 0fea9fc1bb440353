// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// What the messages of the handshake change.
extension TLSLayer {
  mutating func take(
    handshake content: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    var at = 0
    // Without their beginning, messages cannot be told from their content.
    if half(delivery).hasLostMessages { return }
    while true {
      let message = with(delivery) { $0.handshake.next(content, &at, &$0.handshakeRoom) }
      guard let message else { return }
      if message.isGivenUp {
        report.tellOnce(
          .recordIncomplete, .warning, delivery.origin, listener,
          "a TLS handshake message is given up, as \(Reservation.shortage)")
      }
      take(message, delivery, listener)
    }
  }

  private mutating func take(
    _ message: HandshakeReader.Message, _ delivery: Delivery, _ listener: any Listener
  ) {
    let isUp = delivery.origin.direction == .toServer
    let half = half(delivery)
    switch message.type {
    case HandshakeReader.Kind.clientHello where isUp:
      guard let hello = ClientHello(message.content) else { return }
      session.take(hello)
      settleHellos(delivery, listener)
    case HandshakeReader.Kind.serverHello where !isUp:
      guard let hello = ServerHello(message.content) else { return }
      if hello.isRetryRequest {
        session.isRetried = true
        return release(listener)
      }
      session.take(hello)
      if session.isTLS13 { toClient.enter(.handshake) }
      settleHellos(delivery, listener)
    case HandshakeReader.Kind.encryptedExtensions where !isUp:
      var reader = VectorReader(message.content)
      let extensions = reader.extensions()
      if let chosen = extensions[ExtensionType.applicationLayerProtocolNegotiation] {
        session.applicationProtocol = VectorReader.protocolNames(chosen).first ?? []
      }
      session.acceptsEarlyData = extensions[ExtensionType.earlyData] != nil
      release(listener)
    case HandshakeReader.Kind.endOfEarlyData where isUp && half.stage == .early:
      toServer.enter(.handshake)
    case HandshakeReader.Kind.finished where session.isTLS13 && half.stage != .application:
      with(delivery) { $0.enter(.application) }
      if !isUp { release(listener) }
    case HandshakeReader.Kind.keyUpdate where session.isTLS13 && half.stage == .application:
      with(delivery) { half in half.enter(.application, half.keys?.updated) }
    default: break
    }
  }

  /// Both hellos were seen: says what cannot be opened, and lets go what waited for them.
  private mutating func settleHellos(_ delivery: Delivery, _ listener: any Listener) {
    guard session.isSettled else { return }
    enterHandshake()
    settled = delivery.origin.time
    if let obstacle = session.obstacle {
      report.tellClosed(
        .unsupported, .warning, session, delivery.origin, listener, "cannot be read: \(obstacle)")
      (toServer.isSealed, toClient.isSealed) = (true, true)
    } else if !secrets.isExpected {
      tellKeyMissing(delivery, listener)
      (toServer.isSealed, toClient.isSealed) = (true, true)
    }
    release(listener)
  }

  /// Behind the hellos of TLS 1.3, the client goes on with the keys of the handshake.
  mutating func enterHandshake() {
    if toServer.stage == .plain && session.isTLS13 && !session.clientRandom.isEmpty {
      toServer.enter(session.offersEarlyData ? .early : .handshake)
    }
  }

  /// A ChangeCipherSpec of TLS 1.2 puts the negotiated keys into use (RFC 5246 §7.1); answers false
  /// when there are none.
  mutating func changeKeys(_ delivery: Delivery) -> Bool {
    guard let keys = schedule.masterKeys(isClient: half(delivery).isClient) else { return false }
    with(delivery) { $0.enter(.application, keys) }
    return true
  }

  /// Finds the keys of the stage of a direction; answers false when they are not known.
  mutating func loadKeys(_ delivery: Delivery) -> Bool {
    guard session.suite != nil, session.isTLS13 else { return changeKeys(delivery) }
    let (half, schedule) = (half(delivery), schedule)
    switch half.stage {
    case .plain: return false
    case .early:
      // What the server says of it decides what these records are.
      let isPast = toClient.stage == .application || toClient.hasLostMessages
      guard let isAccepted = session.acceptsEarlyData ?? (isPast ? false : nil) else {
        return false
      }
      if isAccepted, let early = schedule.trafficKeys(.clientEarly) {
        with(delivery) { $0.keys = early }
        return true
      }
      // Passed over until one opens with the keys of the handshake.
      guard let found = schedule.trafficKeys(half.handshakeSecret) else { return false }
      with(delivery) { $0.keys = found }
    case .handshake:
      if let found = schedule.trafficKeys(half.handshakeSecret) {
        with(delivery) { $0.keys = found }
        return true
      }
      // Some write down only what comes behind the handshake: that begins where it opens.
      guard let found = schedule.trafficKeys(half.trafficSecret) else { return false }
      with(delivery) { half in
        half.enter(.application, found)
        half.isUnsure = true
      }
    case .application:
      guard let found = schedule.trafficKeys(half.trafficSecret) else { return false }
      with(delivery) { $0.keys = found }
    }
    return true
  }

  /// A record of the client before it is known where its early data end.
  mutating func openEarly(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) -> Outcome {
    if session.acceptsEarlyData == true,
      secrets.find(.clientEarly, session.clientRandom) != nil
    {
      return open(bytes, delivery, listener)
    }
    if Self.open(bytes, &toServer) == nil {
      toServer.misses = 0
      toServer.earlyRecords += 1
      tellEarly(delivery, listener)
      listener.account(.sealed, bytes.byteCount)
      return .done
    }
    // The handshake goes on here.
    toServer.stage = .handshake
    toServer.sequence = 0
    return open(bytes, delivery, listener)
  }

  mutating func tellEarly(_ delivery: Delivery, _ listener: any Listener) {
    let reason =
      session.acceptsEarlyData == true
      ? "the key log has no CLIENT_EARLY_TRAFFIC_SECRET for them" : "the server refused them"
    report.tellOnce(
      .earlyDataUnread, .note, delivery.origin, listener,
      "early data of the client are passed over, as \(reason)")
  }

  mutating func tell(alert content: [UInt8], _ delivery: Delivery, _ listener: any Listener) {
    guard content.count == 2 else { return }
    let alert = Alert(isFatal: content[0] == 2, code: content[1])
    if alert.isCloseNotify || alert.code == 90 { return }
    report.tell(
      .alert, .warning, delivery.origin, listener,
      "\(half(delivery).who) sent the TLS alert \(alert.name)"
        + (alert.isFatal ? ", which ends the connection" : ""))
  }
}
