// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapFraming
import TapHTTP
import TapRawSocket
import TapTLS
import TapTraffic
import TapWebSocket

/// A stream whose beginning was not captured. An HTTP head may begin a segment, or frames of
/// WebSocket or RawSocket, or another protocol, may be recognised by their form.
struct MidstreamDetector: DecidingLayer.Detector {
  private let opening: Opening
  private let factory: LayerFactory
  /// Each of the searches holds a copy.
  let copies = 4
  private var toServer = FrameSearch()
  private var toClient = FrameSearch()
  /// For RawSocket.
  private var messagesToServer = MessageSearch()
  private var messagesToClient = MessageSearch()

  private var linesToServer: JSONLineSearch
  private var linesToClient: JSONLineSearch
  private var objectsToServer: JSONObjectSearch
  private var objectsToClient: JSONObjectSearch
  private var lengths: JSONLengthSearch
  private var candidates: StreamCandidates

  init(_ opening: Opening, _ factory: LayerFactory) {
    (self.opening, self.factory) = (opening, factory)
    linesToServer = JSONLineSearch(maximumDepth: factory.limits.nesting)
    linesToClient = linesToServer
    objectsToServer = JSONObjectSearch(maximumDepth: factory.limits.nesting)
    objectsToClient = objectsToServer
    lengths = JSONLengthSearch(most: factory.limits.messageBytes)
    candidates = StreamCandidates(factory)
  }

  mutating func look(
    _ bytes: RawSpan, _ delivery: Delivery, since: Delivery, _ listener: any Listener
  ) -> DecidingLayer.Decision {
    let isUp = delivery.origin.direction == .toServer
    if opening.isMultiplexed { return frames(bytes, delivery, since, listener) }
    if delivery.edges.contains(.start), HTTP2Middle.recognise(bytes) {
      return .layer(factory.http2(opening, isFromStart: false), isReversed: false)
    }
    if delivery.edges.contains(.start), HTTPStart.recognise(bytes) == true {
      // A request comes from the client, a response from the server.
      let isReversed = bytes.starts(with: "HTTP/") == isUp
      let layer = factory.http(isReversed ? opening.reversed : opening)
      return .layer(layer, isReversed: isReversed)
    }
    if delivery.edges.contains(.start), opening.security == nil {
      let isFirst = delivery.origin.record == since.origin.record
      if let found = tls(bytes, isFirst: isFirst, isUp, listener) { return found }
    }
    if isUp {
      toServer.append(bytes, delivery)
      messagesToServer.append(bytes, delivery)
    } else {
      toClient.append(bytes, delivery)
      messagesToClient.append(bytes, delivery)
    }
    let found = candidates.recognise(midstream: bytes, delivery)
    if let frames = search(isEnd: false, isUp, rival: found?.length, since, listener) {
      return frames
    }
    if let found {
      let isReversed = found.direction == delivery.origin.direction.reversed
      let reported = isReversed ? opening.reversed : opening
      listener.opened(reported, since)
      return .layer(found.dialect.layer(reported, factory.run), isReversed: isReversed)
    }
    if lengths.append(bytes, delivery) {
      listener.opened(opening, since)
      return .layer(factory.jsonTexts(opening, lengths), isReversed: false)
    }
    let isLines = isUp ? linesToServer.append(bytes) : linesToClient.append(bytes)
    let isObjects =
      isUp ? objectsToServer.append(bytes, delivery) : objectsToClient.append(bytes, delivery)
    if isLines || isObjects {
      listener.opened(opening, since)
      return .layer(factory.jsonTexts(opening), isReversed: false)
    }
    return .wait
  }

  mutating func miss(_ delivery: Delivery) {
    let isUp = delivery.origin.direction == .toServer
    if isUp { objectsToServer.miss() } else { objectsToClient.miss() }
  }

  /// - Parameter isFirst: no bytes of the stream were captured before.
  private func tls(
    _ bytes: RawSpan, isFirst: Bool, _ isUp: Bool, _ listener: any Listener
  ) -> DecidingLayer.Decision? {
    if isFirst && TLSStart.isClientHello(bytes) {
      // Only the SYNs are missing.
      var whole = isUp ? opening : opening.reversed
      whole.isFromStart = true
      listener.count(.streamTLS, 1)
      return .layer(factory.tls(whole), isReversed: !isUp)
    }
    guard TLSStart.isChain(bytes) else { return nil }
    listener.count(.streamTLS, 1)
    return .layer(factory.tls(opening), isReversed: false)
  }

  /// A stream of HTTP/2 carries WebSocket or nothing that is read.
  private mutating func frames(
    _ bytes: RawSpan, _ delivery: Delivery, _ since: Delivery, _ listener: any Listener
  ) -> DecidingLayer.Decision {
    let isUp = delivery.origin.direction == .toServer
    if isUp { toServer.append(bytes, delivery) } else { toClient.append(bytes, delivery) }
    return search(isEnd: false, isUp, since, listener) ?? .wait
  }

  /// - Parameter rival: how many bytes of this side, up to now, are messages of a dialect. All of
  ///   their fields fit, which headers that begin at the same place do not outweigh; a frame around
  ///   such messages begins earlier.
  private mutating func search(
    isEnd: Bool, _ isUp: Bool, rival: Int? = nil, _ since: Delivery, _ listener: any Listener
  ) -> DecidingLayer.Decision? {
    // RawSocket first, as it needs the stronger evidence: a short RawSocket frame looks like two
    // WebSocket continuation frames.
    let message =
      isUp
      ? messagesToServer.firstFrame(isEnd: isEnd) : messagesToClient.firstFrame(isEnd: isEnd)
    let enough = FrameSearch.enoughForStreams
    let answer =
      isUp
      ? toServer.firstFrame(masked: nil, compressed: true, isEnd: isEnd, enough: enough)
      : toClient.firstFrame(masked: nil, compressed: true, isEnd: isEnd, enough: enough)
    if case .found(let start, let serializer, let isFromClient) = message {
      switch answer {
      // A length-prefixed message is a RawSocket frame, but also part of a batch. A WebSocket frame
      // around the batch begins earlier.
      case .found(let earlier, _) where earlier < start: break
      case .undecided(let earlier) where earlier < start: return nil
      default: return rawSocket(serializer, isReversed: isFromClient == !isUp, since, listener)
      }
    }
    guard case .found(let start, let isMasked) = answer else { return nil }
    if let rival, (isUp ? toServer : toClient).count - start <= rival { return nil }
    return webSocket(isReversed: isMasked != isUp, since, listener)
  }

  private func rawSocket(
    _ serializer: UInt8, isReversed: Bool, _ since: Delivery, _ listener: any Listener
  ) -> DecidingLayer.Decision {
    let rawSocket = RawSocketLayer.opening(
      midstream: isReversed ? opening.reversed : opening, serializer: serializer)
    listener.count(.streamRawSocket, 1)
    listener.opened(rawSocket, since)
    listener.finding(
      RawSocketFindings.handshakeMissing, .note, since.origin,
      "the handshakes were not captured: RawSocket was recognised by the form of its messages,"
        + " and their content shows which side is the client")
    let layer = factory.rawSocket(midstream: rawSocket, serializer: serializer)
    return .layer(layer, isReversed: isReversed)
  }

  private func webSocket(
    isReversed: Bool, _ since: Delivery, _ listener: any Listener
  ) -> DecidingLayer.Decision {
    // Whether compression was negotiated is not known: a frame with RSV1 set shows it, and the
    // inflater reports references to history that was not captured.
    let webSocket = LayerFactory.withoutHandshake(isReversed ? opening.reversed : opening)
    listener.opened(webSocket, since)
    // Where the URL is known, the request was read.
    let what =
      webSocket.url.isEmpty
      ? "the handshake was not captured" : "the answer of the handshake is missing"
    listener.finding(
      .handshakeMissing, .note, since.origin,
      "\(what): WebSocket was recognised by its frames, and the client is the side that masks")
    return .layer(factory.layer(for: webSocket), isReversed: isReversed)
  }

  mutating func settle(_ since: Delivery, _ listener: any Listener) -> DecidingLayer.Decision {
    if let found = search(isEnd: true, true, since, listener) { return found }
    if let found = search(isEnd: true, false, since, listener) { return found }
    if !opening.isMultiplexed { listener.count(.streamUnread, 1) }
    return .layer(DiscardLayer(), isReversed: false)
  }
}
