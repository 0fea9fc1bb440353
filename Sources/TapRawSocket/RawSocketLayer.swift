// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapFraming
public import TapTraffic

/// WAMP RawSocket (WAMP, "RawSocket Transport"): reads the handshakes of both sides. After them a
/// `FramedLayer`, which replaces this layer, splits the bytes into frames.
public struct RawSocketLayer: Layer {
  /// The state of one side.
  struct Side {
    /// The captured bytes of its handshake.
    var greeting = Scratch()
    /// How many handshake bytes have passed, captured or not.
    var greeted = 0

    var hasGreeted: Bool { greeted == Handshake.size }

    /// Nil when it is incomplete, or not completely captured.
    var handshake: Handshake? {
      greeting.count == Handshake.size ? Handshake(greeting.bytes) : nil
    }

    mutating func append(_ octets: RawSpan) {
      greeting.append(octets)
      greeted += octets.byteCount
    }
  }

  enum Mode {
    /// The handshakes are not complete.
    case greeting
    case open
    /// One side refused.
    case refused
  }

  var mode = Mode.greeting
  var toServer = Side()
  var toClient = Side()
  /// The layer after the handshakes, set once the connection was reported, whose end must be
  /// reported too.
  var framed: FramedLayer?
  /// The framings of both directions.
  private(set) var framings: (toServer: RawSocketFraming, toClient: RawSocketFraming)?
  /// Bytes after one side's handshake, held until the other's comes.
  var held = ReplayBuffer()
  var heldSince = Instant.unknown
  var opening: Opening
  let chooser: any Chooser
  let limits: Limits
  /// Whether to report the handshakes in words, and frames with their messages.
  let reportsHeads: Bool

  /// - Parameters:
  ///   - opening: the RawSocket stream.
  ///   - chooser: chooses the layer for the messages.
  ///   - reportsHeads: whether to report the handshakes in words too, and frames with their
  ///     messages.
  public init(
    _ opening: Opening, _ chooser: any Chooser, limits: Limits, reportsHeads: Bool = false
  ) {
    (self.opening, self.chooser, self.limits) = (opening, chooser, limits)
    self.reportsHeads = reportsHeads
  }

  /// For the middle of a stream: the handshakes were not captured, and frame boundaries must be
  /// found.
  ///
  /// - Parameter serializer: its number, concluded from the messages.
  public init(
    midstream opening: Opening, _ chooser: any Chooser, serializer: UInt8, limits: Limits,
    reportsFrames: Bool = false
  ) {
    self.init(opening, chooser, limits: limits, reportsHeads: reportsFrames)
    (toServer.greeted, toClient.greeted) = (Handshake.size, Handshake.size)
    begin(Serializer(number: serializer), isFromStart: false)
  }

  /// The opening to report for a stream captured from the middle.
  public static func opening(midstream stream: Opening, serializer: UInt8) -> Opening {
    var opening = stream
    opening.carrier = .rawSocket
    opening.isFromStart = false
    opening.subprotocol = Array(Serializer(number: serializer).subprotocol.utf8)
    return opening
  }

  /// Frames follow.
  mutating func begin(_ serializer: Serializer?, isFromStart: Bool) {
    let pairs = HeartbeatPairs(limits)
    let framings = (
      toServer: RawSocketFraming(
        .toServer, serializer, pairs, limits, reportsFrames: reportsHeads),
      toClient: RawSocketFraming(
        .toClient, serializer, pairs, limits, reportsFrames: reportsHeads)
    )
    // If a handshake is missing, more bytes may be.
    if toServer.handshake == nil { pairs.missPings(.toServer) }
    if toClient.handshake == nil { pairs.missPings(.toClient) }
    self.framings = framings
    framed = FramedLayer(
      framings.toServer, framings.toClient, carrying: chooser.layer(for: opening),
      isFromStart: isFromStart)
    mode = .open
  }

  /// How many bytes were reported, but are accounted for only when their direction ends.
  var unaccounted: Int { framed?.unaccounted ?? 0 }

  public var settlement: Settlement {
    guard case .open = mode, toServer.hasGreeted, toClient.hasGreeted, let framed else {
      return .notYet
    }
    return .by(Boxed(framed))
  }

  private func hasGreeted(_ delivery: Delivery) -> Bool {
    delivery.origin.direction == .toServer ? toServer.hasGreeted : toClient.hasGreeted
  }

  public mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    switch mode {
    case .open where hasGreeted(delivery): framed?.receive(bytes, delivery, listener)
    case .refused: listener.account(.unread, bytes.byteCount)
    case .open, .greeting: greet(bytes, delivery, listener)
    }
  }

  public mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    if case .refused = mode { return }
    guard hasGreeted(delivery) else { return missGreeting(missing, delivery, listener) }
    if case .greeting = mode { return held.append(gap: missing, delivery) }
    framed?.gap(missing, delivery, listener)
  }

  public mutating func finish(
    _ ending: Ending, _ delivery: Delivery, _ listener: any Listener
  ) {
    if case .greeting = mode {
      // One side has closed, but its held bytes are not read yet.
      if ending == .half { return held.append(half: delivery) }
      decide(delivery, listener)
    }
    if framed == nil { return }
    let direction = delivery.origin.direction
    if ending != .half || direction == .toServer { Self.giveUp(&toServer, listener) }
    if ending != .half || direction == .toClient { Self.giveUp(&toClient, listener) }
    framed?.finish(ending, delivery, listener)
  }

  /// The rest of a handshake will not come.
  private static func giveUp(_ side: inout Side, _ listener: any Listener) {
    if side.hasGreeted || side.greeting.isEmpty { return }
    listener.account(.incomplete, side.greeting.count)
    side.greeting.removeAll()
  }
}
