// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapHTTP
import TapRawSocket
public import TapTraffic
import TapWebSocket

/// Who carries whom: the one place where layers meet.
public final class Stacks: Chooser {
  private let limits: Limits
  private let commons = Commons()
  /// Whether somebody wants to be told of frames and of the heads of HTTP.
  let tellsFrames: Bool
  /// The dialect that was named, whatever messages look like.
  private let forced: (any Dialect.Type)?

  /// What conversations may be said to speak.
  public static var dialects: [String] { Dialects.all.map { "\($0.name)" } }

  /// - Parameter dialect: one of `dialects`, which everything speaks; nil where it is to be found.
  public init(limits: Limits, tellsFrames: Bool = false, dialect: String? = nil) {
    (self.limits, self.tellsFrames) = (limits, tellsFrames)
    forced = dialect.flatMap { name in Dialects.all.first { "\($0.name)" == name } }
  }

  public func layer(for opening: Opening) -> any Layer {
    switch opening.carrier {
    case .stream:
      // Requests for upgrades without an answer, one behind the other, would each open one more.
      if opening.guesses > 4 { return Unread() }
      return opening.isFromStart
        ? Undecided(
          StreamJudge(opening, self, limits, tellsHeads: tellsFrames), limit: limits.undecidedBytes)
        : Undecided(
          MidstreamJudge(opening, self, limits, tellsHeads: tellsFrames),
          limit: limits.undecidedBytes)
    case .webSocket:
      return Kept(
        WebSocketLayer(
          opening, carrying: dialect(for: opening), limits: limits,
          isFromStart: opening.isFromStart, tellsFrames: tellsFrames))
    case .rawSocket: return dialect(for: opening)
    }
  }

  /// Frames from the first byte on, of a connection whose handshake nobody has: whether it
  /// compresses, a frame that has RSV1 set says.
  func frames(_ opening: Opening) -> any Layer {
    var webSocket = opening
    webSocket.carrier = .webSocket
    webSocket.isFromStart = false
    webSocket.deflate = Opening.Deflate()
    return WebSocketLayer(
      webSocket, carrying: dialect(for: webSocket), limits: limits, isFromStart: true)
  }

  /// What the messages of a WebSocket or RawSocket connection speak.
  func dialect(for opening: Opening) -> any Layer {
    if let forced { return forced.kept(opening, limits: limits, among: commons) }
    let isKnown = Dialects.all.contains {
      $0.claim(opening, [UInt8]().span.bytes, .text) == .certain
    }
    if isKnown, let certain = Self.best(opening, [], .text) {
      return certain.kept(opening, limits: limits, among: commons)
    }
    return Undecided(DialectJudge(opening, limits, commons), limit: limits.undecidedBytes)
  }

  static func best(
    _ opening: Opening, _ first: [UInt8], _ kind: Delivery.Kind
  ) -> (any Dialect.Type)? {
    var best: (claim: Claim, dialect: any Dialect.Type)?
    for dialect in Dialects.all {
      let claim = dialect.claim(opening, first.span.bytes, kind)
      if claim >= .possible && claim > (best?.claim ?? .no) { best = (claim, dialect) }
    }
    return best?.dialect
  }
}

/// A stream from its first byte on: HTTP, RawSocket, or nothing we read.
private struct StreamJudge: Undecided.Judge {
  private let opening: Opening
  private let chooser: any Chooser
  private let limits: Limits
  private let tellsHeads: Bool
  private var first: [UInt8] = []
  /// The first four octets of the client and of the server.
  private var sides: [[UInt8]] = [[], []]

  init(_ opening: Opening, _ chooser: any Chooser, _ limits: Limits, tellsHeads: Bool) {
    (self.opening, self.chooser, self.limits) = (opening, chooser, limits)
    self.tellsHeads = tellsHeads
  }

  mutating func look(
    _ bytes: RawSpan, _ delivery: Delivery, held: Int, _ listener: any Listener
  ) -> Undecided.Decision {
    // The first bytes of either side decide; a hole before them leaves the middle of a stream.
    if delivery.origin.offset > 0 && first.isEmpty { return middle() }
    let octets = bytes.extracting(0..<min(bytes.byteCount, 16)).copied()
    first += octets
    if first.first == Handshake.magic { return rawSocket(octets, delivery, listener) }
    switch HTTPStart.recognise(first.span.bytes) {
    case true:
      let layer = HTTPLayer(opening, chooser, limits: limits, tellsHeads: tellsHeads)
      return .layer(layer, isReversed: false)
    case nil: return .wait
    case false: return settle(delivery, listener)
    }
  }

  /// Both sides of RawSocket begin with an octet that begins no request of HTTP.
  private mutating func rawSocket(
    _ octets: [UInt8], _ delivery: Delivery, _ listener: any Listener
  ) -> Undecided.Decision {
    let side = delivery.origin.direction == .toServer ? 0 : 1
    sides[side] += octets.prefix(4 - sides[side].count)
    switch Handshake.recognise(sides) {
    case true:
      listener.count(.streamRawSocket, 1)
      let layer = RawSocketLayer(opening, chooser, limits: limits, tellsHeads: tellsHeads)
      return .layer(Kept(layer), isReversed: false)
    case nil: return .wait
    case false: return settle(delivery, listener)
    }
  }

  private func middle() -> Undecided.Decision {
    var middle = opening
    middle.isFromStart = false
    return .layer(chooser.layer(for: middle), isReversed: false)
  }

  mutating func settle(_ delivery: Delivery, _ listener: any Listener) -> Undecided.Decision {
    if first.starts(with: [0x16, 0x03]) {
      listener.count(.streamTLS, 1)
    } else {
      listener.count(.streamUnread, 1)
    }
    return .layer(Unread(), isReversed: false)
  }
}

/// A stream whose beginning was not captured: an HTTP head may begin a segment, or frames of
/// WebSocket or RawSocket may be recognised by their form.
private struct MidstreamJudge: Undecided.Judge {
  private let opening: Opening
  private let chooser: any Chooser
  private let limits: Limits
  private let tellsHeads: Bool
  private var toServer = FrameSearch()
  private var toClient = FrameSearch()
  /// For RawSocket.
  private var messagesToServer = MessageSearch()
  private var messagesToClient = MessageSearch()

  init(_ opening: Opening, _ chooser: any Chooser, _ limits: Limits, tellsHeads: Bool) {
    (self.opening, self.chooser, self.limits) = (opening, chooser, limits)
    self.tellsHeads = tellsHeads
  }

  mutating func look(
    _ bytes: RawSpan, _ delivery: Delivery, held: Int, _ listener: any Listener
  ) -> Undecided.Decision {
    let isUp = delivery.origin.direction == .toServer
    if delivery.edges.contains(.start), HTTPStart.recognise(bytes) == true {
      // A request comes from the client, a response from the server.
      let isReversed = bytes.starts(with: "HTTP/") == isUp
      let layer = HTTPLayer(
        isReversed ? opening.reversed : opening, chooser, limits: limits, tellsHeads: tellsHeads)
      return .layer(layer, isReversed: isReversed)
    }
    if isUp {
      toServer.append(bytes, delivery)
      messagesToServer.append(bytes, delivery)
    } else {
      toClient.append(bytes, delivery)
      messagesToClient.append(bytes, delivery)
    }
    return search(isEnd: false, isUp, delivery, listener) ?? .wait
  }

  private mutating func search(
    isEnd: Bool, _ isUp: Bool, _ delivery: Delivery, _ listener: any Listener
  ) -> Undecided.Decision? {
    // First what asks for more: a short frame of RawSocket looks like two of WebSocket, which
    // continue a message.
    let message =
      isUp
      ? messagesToServer.firstFrame(isEnd: isEnd) : messagesToClient.firstFrame(isEnd: isEnd)
    let answer =
      isUp
      ? toServer.firstFrame(masked: nil, compressed: true, isEnd: isEnd)
      : toClient.firstFrame(masked: nil, compressed: true, isEnd: isEnd)
    if case .found(let start, let serializer, let isFromClient) = message {
      switch answer {
      // A message behind its length is a frame of RawSocket, and part of a batch as well: a frame
      // of WebSocket around it begins earlier.
      case .found(let earlier, _) where earlier < start: break
      case .undecided(let earlier) where earlier < start: return nil
      default: return rawSocket(serializer, isReversed: isFromClient == !isUp, delivery, listener)
      }
    }
    guard case .found(_, let isMasked) = answer else { return nil }
    return webSocket(isReversed: isMasked != isUp, delivery, listener)
  }

  private func rawSocket(
    _ serializer: UInt8, isReversed: Bool, _ delivery: Delivery, _ listener: any Listener
  ) -> Undecided.Decision {
    let rawSocket = RawSocketLayer.opening(
      midstream: isReversed ? opening.reversed : opening, serializer: serializer)
    listener.count(.streamRawSocket, 1)
    listener.opened(rawSocket, delivery)
    listener.finding(
      Finding(
        RawSocketFindings.handshakeMissing, .note, delivery.origin,
        "the handshakes were not captured: WAMP RawSocket was recognised by the form of its"
          + " messages, and what they say tells who is the client"))
    let layer = RawSocketLayer(
      midstream: rawSocket, chooser, serializer: serializer, limits: limits,
      tellsFrames: tellsHeads)
    return .layer(Kept(layer), isReversed: isReversed)
  }

  private func webSocket(
    isReversed: Bool, _ delivery: Delivery, _ listener: any Listener
  ) -> Undecided.Decision {
    var webSocket = isReversed ? opening.reversed : opening
    webSocket.carrier = .webSocket
    webSocket.isFromStart = false
    // Whether compression was negotiated is not known: a frame that has RSV1 set says so, and the
    // inflater tells what refers to history that was not captured.
    webSocket.deflate = Opening.Deflate()
    listener.opened(webSocket, delivery)
    listener.finding(
      Finding(
        .handshakeMissing, .note, delivery.origin,
        "the handshake was not captured: WebSocket was recognised by its frames,"
          + " and the client is the side that masks"))
    return .layer(chooser.layer(for: webSocket), isReversed: isReversed)
  }

  mutating func settle(_ delivery: Delivery, _ listener: any Listener) -> Undecided.Decision {
    if let found = search(isEnd: true, true, delivery, listener) { return found }
    if let found = search(isEnd: true, false, delivery, listener) { return found }
    listener.count(.streamUnread, 1)
    return .layer(Unread(), isReversed: false)
  }
}

extension Finding.Code {
  /// The capture began after the upgrade, or the answer to it is missing: what was negotiated is
  /// not known (RFC 6455 §4).
  static let handshakeMissing: Self = "websocket.handshake-missing"
}

/// The first message of a WebSocket connection tells its dialect.
private struct DialectJudge: Undecided.Judge {
  private let opening: Opening
  private let limits: Limits
  private let commons: Commons

  init(_ opening: Opening, _ limits: Limits, _ commons: Commons) {
    (self.opening, self.limits, self.commons) = (opening, limits, commons)
  }

  mutating func look(
    _ bytes: RawSpan, _ delivery: Delivery, held: Int, _ listener: any Listener
  ) -> Undecided.Decision {
    // What has holes may look like anything, or like nothing.
    if delivery.kind == .partialText { return .wait }
    if let dialect = Stacks.best(opening, bytes.copied(), delivery.kind) {
      return .layer(dialect.kept(opening, limits: limits, among: commons), isReversed: false)
    }
    return settle(delivery, listener)
  }

  mutating func settle(_ delivery: Delivery, _ listener: any Listener) -> Undecided.Decision {
    // A reserved serializer of RawSocket stands for no subprotocol.
    let isWAMP = opening.subprotocol.starts(with: "wamp".utf8) || opening.carrier == .rawSocket
    if isWAMP {
      let name =
        opening.subprotocol.isEmpty
        ? "the serializer of this connection"
        : String(decoding: opening.subprotocol, as: Unicode.UTF8.self)
      listener.finding(
        Finding(
          .serializerUnknown, .warning, delivery.origin,
          "\(name) is not decoded by this version: of its messages only the size is shown"
            + " (all of them with --show-secrets)"))
    }
    return .layer(
      UnclaimedLayer(mayHoldSecrets: isWAMP, carrier: opening.carrier), isReversed: false)
  }
}

extension Finding.Code {
  /// A subprotocol of WAMP whose serializer this version does not read.
  static let serializerUnknown: Self = "wamp.serializer-unknown"
}
