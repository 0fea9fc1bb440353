// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapLibraries
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
        tellOnce(
          .recordIncomplete, .warning, delivery.origin, listener,
          "\(ends): a TLS handshake message is given up, as \(Reservation.shortage)")
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
      tellClosed(
        .unsupported, .warning, delivery.origin, listener, "cannot be read: \(obstacle)")
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
    guard let suite = session.suite,
      let secret = secrets.find(.clientRandom, session.clientRandom), Libcrypto.isLoaded
    else { return false }
    let session = session
    with(delivery) { half in
      half.enter(
        .application,
        RecordKeys(
          masterSecret: secret, suite, clientRandom: session.clientRandom,
          serverRandom: session.serverRandom, isClient: half.isClient,
          encryptsThenMACs: session.encryptsThenMACs))
    }
    return true
  }

  /// Finds the keys of the stage of a direction; answers false when they are not known.
  mutating func loadKeys(_ delivery: Delivery) -> Bool {
    guard let suite = session.suite, session.isTLS13 else { return changeKeys(delivery) }
    let half = half(delivery)
    func keys(_ label: Secrets.Label) -> RecordKeys? {
      // Half a line of a key log that is being written may look like a whole one.
      secrets.find(label, session.clientRandom).flatMap {
        $0.count == suite.hash.length && Libcrypto.isLoaded
          ? RecordKeys(trafficSecret: $0, suite) : nil
      }
    }
    let handshake: Secrets.Label = half.isClient ? .clientHandshake : .serverHandshake
    let traffic: Secrets.Label = half.isClient ? .clientTraffic : .serverTraffic
    switch half.stage {
    case .plain: return false
    case .early:
      // What the server says of it decides what these records are.
      let isPast = toClient.stage == .application || toClient.hasLostMessages
      guard let isAccepted = session.acceptsEarlyData ?? (isPast ? false : nil) else {
        return false
      }
      if isAccepted, let early = keys(.clientEarly) {
        with(delivery) { $0.keys = early }
        return true
      }
      // Passed over until one opens with the keys of the handshake.
      guard let found = keys(handshake) else { return false }
      with(delivery) { $0.keys = found }
    case .handshake:
      if let found = keys(handshake) {
        with(delivery) { $0.keys = found }
        return true
      }
      // Some write down only what comes behind the handshake: that begins where it opens.
      guard let found = keys(traffic) else { return false }
      with(delivery) { half in
        half.enter(.application, found)
        half.isUnsure = true
      }
    case .application:
      guard let found = keys(traffic) else { return false }
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
    tellOnce(
      .earlyDataUnread, .note, delivery.origin, listener,
      "\(ends): early data of the client are passed over, as \(reason)")
  }

  mutating func tell(alert content: [UInt8], _ delivery: Delivery, _ listener: any Listener) {
    guard content.count == 2 else { return }
    let alert = Alert(isFatal: content[0] == 2, code: content[1])
    if alert.isCloseNotify || alert.code == 90 { return }
    listener.finding(
      Finding(
        .alert, .warning, delivery.origin,
        "\(ends): \(half(delivery).who) sent the TLS alert \(alert.name)"
          + (alert.isFatal ? ", which ends the connection" : "")))
  }
}
