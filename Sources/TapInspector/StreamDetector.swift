// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapFraming
import TapHTTP
import TapRawSocket
import TapTLS
import TapTraffic

/// A stream from its first byte on: HTTP, TLS, RawSocket, a dialect that runs on bare TCP, JSON
/// texts, or a protocol that we do not read.
struct StreamDetector: DecidingLayer.Detector {
  /// Bytes of the client and of the server. Empty for most streams, which need neither.
  private struct Sides {
    var client: [UInt8] = []
    var server: [UInt8] = []

    subscript(direction: Direction) -> [UInt8] {
      get { direction == .toServer ? client : server }
      set { if direction == .toServer { client = newValue } else { server = newValue } }
    }
  }

  /// The bytes that are held, and `beginnings`.
  let copies = 2
  private let opening: Opening
  private let factory: LayerFactory
  private var first: [UInt8] = []
  /// Whether the server spoke first, as far as was captured.
  private var isFromServer = false
  /// The first four bytes of the client and of the server.
  private var sides = Sides()
  /// An incomplete proxy header, and the side that sends it.
  private var proxy: (octets: [UInt8], direction: Direction)?
  /// What each side has sent so far, for a stream that may be one through a SOCKS proxy, that no
  /// transport claims, or of which that is not known yet.
  private var beginnings = Sides()
  private var mayBeSOCKS = false
  /// No transport claims it.
  private var isBare = false
  /// Made only for a stream that no transport claims.
  private lazy var candidates = StreamCandidates(factory)
  /// Directions that begin with a gap.
  private var missed: Set<Direction> = []

  init(_ opening: Opening, _ factory: LayerFactory) {
    (self.opening, self.factory) = (opening, factory)
  }

  mutating func miss(_ delivery: Delivery) { missed.insert(delivery.origin.direction) }

  mutating func look(
    _ bytes: RawSpan, _ delivery: Delivery, since: Delivery, _ listener: any Listener
  ) -> DecidingLayer.Decision {
    // The first bytes of either side decide. If a gap precedes them, the stream is one without a
    // beginning.
    if first.isEmpty && missed.contains(delivery.origin.direction) { return middle() }
    if let proxy {
      guard proxy.direction == delivery.origin.direction else { return .wait }
      return skip(proxy.octets + bytes.copied(), delivery, since, listener)
    }
    // A shortcut for what most streams begin with.
    if first.isEmpty && bytes.starts(with: "GET ") {
      return .layer(factory.http(opening), isReversed: false)
    }
    let octets = bytes.extracting(0..<min(bytes.byteCount, 16)).copied()
    if first.isEmpty { isFromServer = delivery.origin.direction == .toClient }
    let before = first
    if mayBeSOCKS { return socks(bytes, delivery, since, listener) }
    if isBare { return messages(bytes, delivery, since, listener) }
    first += octets
    if ProxyHeader.length(first.span.bytes) != 0 {
      return skip(before + bytes.copied(), delivery, since, listener)
    }
    if first.first == Handshake.magic { return rawSocket(octets, delivery, since, listener) }
    if before.isEmpty && !isFromServer && (first[0] == 4 || first[0] == 5) {
      mayBeSOCKS = true
      return socks(bytes, delivery, since, listener)
    }
    let isTLS = TLSStart.recognise(first.span.bytes)
    if isTLS == true {
      listener.count(.streamTLS, 1)
      return .layer(factory.tls(opening), isReversed: false)
    }
    let isHTTP2 =
      isFromServer
      ? HTTP2ServerPreface.recognise(first.span.bytes) : HTTP2Preface.recognise(first.span.bytes)
    if isHTTP2 == true { return .layer(factory.http2(opening), isReversed: false) }
    let isHTTP = HTTPStart.recognise(first.span.bytes)
    if isHTTP == true { return .layer(factory.http(opening), isReversed: false) }
    if isTLS == nil || isHTTP2 == nil || isHTTP == nil {
      beginnings[delivery.origin.direction] += bytes.copied()
      return .wait
    }
    return messages(bytes, delivery, since, listener)
  }

  /// No transport: the first complete message shows whether it is a dialect on bare TCP or JSON
  /// texts.
  private mutating func messages(
    _ bytes: RawSpan, _ delivery: Delivery, _ since: Delivery, _ listener: any Listener
  ) -> DecidingLayer.Decision {
    isBare = true
    beginnings[delivery.origin.direction] += bytes.copied()
    return judge(delivery.origin.direction, since, listener)
  }

  /// Decides by what one side has sent so far.
  private mutating func judge(
    _ direction: Direction, _ since: Delivery, _ listener: any Listener
  ) -> DecidingLayer.Decision {
    let sent = beginnings[direction]
    let (found, isUndecided) = candidates.recognise(
      first: sent.span.bytes, direction)
    if let found {
      var reported = opening
      // The client speaks first: here, nothing of it was captured.
      if isFromServer { reported.isFromStart = false }
      listener.opened(reported, since)
      return .layer(found.layer(reported, factory.run), isReversed: false)
    }
    switch JSONStreamFraming.recognise(sent.span.bytes, most: factory.limits.messageBytes) {
    case true:
      listener.opened(opening, since)
      return .layer(factory.jsonTexts(opening), isReversed: false)
    case nil: return .wait
    case false: return isUndecided ? .wait : settle(since, listener)
    }
  }

  /// The SOCKS handshake precedes the stream in both directions.
  private mutating func socks(
    _ bytes: RawSpan, _ delivery: Delivery, _ since: Delivery, _ listener: any Listener
  ) -> DecidingLayer.Decision {
    let direction = delivery.origin.direction
    beginnings[direction] += bytes.copied()
    let answer = SOCKSHandshake.recognise(
      client: beginnings.client.span.bytes, proxy: beginnings.server.span.bytes)
    switch answer {
    // After a gap, the stream is judged as one without a beginning.
    case .needsMore: return missed.isEmpty ? .wait : middle()
    case .none where !missed.isEmpty: return middle()
    case .none: return judgeBoth(since, listener)
    case .connected(let client, let proxy):
      var carried = opening
      carried.guesses += 1
      let above = PrefixSkip(proxy, of: .toClient, then: factory.layer(for: carried))
      return .layer(PrefixSkip(client, of: .toServer, then: above), isReversed: false)
    }
  }

  /// It is not SOCKS, and no other transport begins this way.
  private mutating func judgeBoth(
    _ since: Delivery, _ listener: any Listener
  ) -> DecidingLayer.Decision {
    (mayBeSOCKS, isBare) = (false, true)
    let decision = judge(.toServer, since, listener)
    guard case .wait = decision, !beginnings.server.isEmpty else { return decision }
    return judge(.toClient, since, listener)
  }

  /// Skips the header that a proxy puts before the stream; the rest is judged like any stream.
  private mutating func skip(
    _ octets: [UInt8], _ delivery: Delivery, _ since: Delivery, _ listener: any Listener
  ) -> DecidingLayer.Decision {
    proxy = (octets, delivery.origin.direction)
    switch ProxyHeader.length(octets.span.bytes) {
    case nil: return .wait
    case 0: return settle(since, listener)
    case let count?:
      let carried = factory.layer(for: opening)
      return .layer(
        PrefixSkip(count, of: delivery.origin.direction, then: carried), isReversed: false)
    }
  }

  /// Both sides of RawSocket begin with a magic byte, which cannot begin an HTTP request.
  private mutating func rawSocket(
    _ octets: [UInt8], _ delivery: Delivery, _ since: Delivery, _ listener: any Listener
  ) -> DecidingLayer.Decision {
    let direction = delivery.origin.direction
    sides[direction] += octets.prefix(4 - sides[direction].count)
    switch Handshake.recognise([sides.client, sides.server]) {
    case true:
      listener.count(.streamRawSocket, 1)
      return .layer(factory.rawSocket(opening), isReversed: false)
    case nil: return .wait
    case false: return settle(since, listener)
    }
  }

  private func middle() -> DecidingLayer.Decision {
    var middle = opening
    middle.isFromStart = false
    return .layer(factory.layer(for: middle), isReversed: false)
  }

  mutating func settle(_ since: Delivery, _ listener: any Listener) -> DecidingLayer.Decision {
    // An incomplete SOCKS handshake may be something else that is complete.
    if mayBeSOCKS, case .layer(let layer, let isReversed) = judgeBoth(since, listener) {
      return .layer(layer, isReversed: isReversed)
    }
    // What the other side began with may show nothing: the answer of a SOCKS proxy, for example.
    if !missed.isEmpty { return middle() }
    let isTLS = first.starts(with: [0x16, 0x03])
    listener.count(isTLS ? .streamTLS : .streamUnread, 1)
    return .layer(DiscardLayer(), isReversed: false)
  }
}
