// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapHTTP
public import TapTraffic
import TapWebSocket

/// Who carries whom: the one place where layers meet.
public final class Stacks: Chooser {
  private let limits: Limits
  /// Whether somebody wants to be told of frames and of the heads of HTTP.
  private let tellsFrames: Bool

  public init(limits: Limits, tellsFrames: Bool = false) {
    (self.limits, self.tellsFrames) = (limits, tellsFrames)
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

  /// What the messages of a WebSocket connection speak.
  private func dialect(for opening: Opening) -> any Layer {
    let isKnown = Dialects.all.contains {
      $0.claim(opening, [UInt8]().span.bytes, .text) == .certain
    }
    if isKnown, let certain = Self.best(opening, [], .text) {
      return certain.kept(opening, limits: limits)
    }
    return Undecided(DialectJudge(opening, limits), limit: limits.undecidedBytes)
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

/// A stream from its first byte on: HTTP, or nothing we read.
private struct StreamJudge: Undecided.Judge {
  private let opening: Opening
  private let chooser: any Chooser
  private let limits: Limits
  private let tellsHeads: Bool
  private var first: [UInt8] = []

  init(_ opening: Opening, _ chooser: any Chooser, _ limits: Limits, tellsHeads: Bool) {
    (self.opening, self.chooser, self.limits) = (opening, chooser, limits)
    self.tellsHeads = tellsHeads
  }

  mutating func look(
    _ bytes: RawSpan, _ delivery: Delivery, held: Int, _ listener: any Listener
  ) -> Undecided.Decision {
    // The first bytes of either side decide; a hole before them leaves the middle of a stream.
    if delivery.origin.offset > 0 && first.isEmpty { return middle() }
    first += bytes.extracting(0..<min(bytes.byteCount, 16)).copied()
    switch HTTPStart.recognise(first.span.bytes) {
    case true:
      let layer = HTTPLayer(opening, chooser, limits: limits, tellsHeads: tellsHeads)
      return .layer(layer, isReversed: false)
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
    } else if first.first == 0x7F {
      listener.count(.streamRawSocket, 1)
    } else {
      listener.count(.streamUnread, 1)
    }
    return .layer(Unread(), isReversed: false)
  }
}

/// A stream whose beginning was not captured: an HTTP head may begin a segment, or frames may be
/// recognised by their form.
private struct MidstreamJudge: Undecided.Judge {
  private let opening: Opening
  private let chooser: any Chooser
  private let limits: Limits
  private let tellsHeads: Bool
  private var toServer = FrameSearch()
  private var toClient = FrameSearch()

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
    if isUp { toServer.append(bytes, delivery) } else { toClient.append(bytes, delivery) }
    return search(isEnd: false, isUp, delivery, listener) ?? .wait
  }

  private mutating func search(
    isEnd: Bool, _ isUp: Bool, _ delivery: Delivery, _ listener: any Listener
  ) -> Undecided.Decision? {
    let answer =
      isUp
      ? toServer.firstFrame(masked: nil, compressed: true, isEnd: isEnd)
      : toClient.firstFrame(masked: nil, compressed: true, isEnd: isEnd)
    guard case .found(_, let isMasked) = answer else { return nil }
    return webSocket(isReversed: isMasked != isUp, delivery, listener)
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

  init(_ opening: Opening, _ limits: Limits) { (self.opening, self.limits) = (opening, limits) }

  mutating func look(
    _ bytes: RawSpan, _ delivery: Delivery, held: Int, _ listener: any Listener
  ) -> Undecided.Decision {
    if let dialect = Stacks.best(opening, bytes.copied(), delivery.kind) {
      return .layer(dialect.kept(opening, limits: limits), isReversed: false)
    }
    return settle(delivery, listener)
  }

  mutating func settle(_ delivery: Delivery, _ listener: any Listener) -> Undecided.Decision {
    if opening.subprotocol.starts(with: "wamp".utf8) {
      let name = String(decoding: opening.subprotocol, as: Unicode.UTF8.self)
      listener.finding(
        Finding(
          .serializerUnknown, .warning, delivery.origin,
          "\(name) is not decoded by this version: of its messages only the size is shown"
            + " (all of them with --show-secrets)"))
    }
    let isWAMP = opening.subprotocol.starts(with: "wamp".utf8)
    return .layer(UnclaimedLayer(mayHoldSecrets: isWAMP), isReversed: false)
  }
}

extension Finding.Code {
  /// A subprotocol of WAMP whose serializer this version does not read.
  static let serializerUnknown: Self = "wamp.serializer-unknown"
}
