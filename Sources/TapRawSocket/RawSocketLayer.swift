// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapFraming
public import TapTraffic

/// WAMP RawSocket (WAMP, "RawSocket Transport"): the handshakes of both sides. What follows them is
/// cut into frames by a `FramedLayer`, which takes the place of this layer.
public struct RawSocketLayer: Layer {
  /// What is kept of one side.
  struct Side {
    /// The captured bytes of its handshake.
    var greeting = Scratch()
    /// Bytes of the handshake that are behind us, captured or not.
    var greeted = 0

    var hasGreeted: Bool { greeted == Handshake.size }

    /// Nil when it is not all there, or was not captured whole.
    var handshake: Handshake? {
      greeting.count == Handshake.size ? Handshake(greeting.bytes) : nil
    }

    mutating func append(_ octets: RawSpan) {
      greeting.append(octets)
      greeted += octets.byteCount
    }
  }

  enum Mode {
    /// Not both handshakes are behind us.
    case greeting
    case open
    /// One of the sides did not agree.
    case refused
  }

  var mode = Mode.greeting
  var toServer = Side()
  var toClient = Side()
  /// What follows the handshakes, once the connection was told, whose end has to be told too.
  var framed: FramedLayer?
  /// How frames are told from each other.
  private(set) var framings: (toServer: RawSocketFraming, toClient: RawSocketFraming)?
  /// What follows the handshake of one side while that of the other is awaited.
  var held = ReplayBuffer()
  var heldSince = Instant.unknown
  var opening: Opening
  let chooser: any Chooser
  let limits: Limits
  /// Whether the handshakes are wanted in words, and frames with what they carry.
  let tellsHeads: Bool

  /// - Parameters:
  ///   - opening: the stream that is RawSocket.
  ///   - chooser: chooses what carries on with the messages.
  ///   - tellsHeads: whether the handshakes are told in words too, and frames with what they carry.
  public init(
    _ opening: Opening, _ chooser: any Chooser, limits: Limits, tellsHeads: Bool = false
  ) {
    (self.opening, self.chooser, self.limits) = (opening, chooser, limits)
    self.tellsHeads = tellsHeads
  }

  /// In mid-stream: the handshakes were not captured, and where the frames begin has to be found.
  ///
  /// - Parameter serializer: its number, as the messages show it.
  public init(
    midstream opening: Opening, _ chooser: any Chooser, serializer: UInt8, limits: Limits,
    tellsFrames: Bool = false
  ) {
    self.init(opening, chooser, limits: limits, tellsHeads: tellsFrames)
    (toServer.greeted, toClient.greeted) = (Handshake.size, Handshake.size)
    begin(Serializer(number: serializer), isFromStart: false)
  }

  /// What a stream in mid-course is told to have opened as.
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
        .toServer, serializer, pairs, limits, tellsFrames: tellsHeads),
      toClient: RawSocketFraming(
        .toClient, serializer, pairs, limits, tellsFrames: tellsHeads)
    )
    // A side whose handshake is missing may have lost more than that.
    if toServer.handshake == nil { pairs.missPings(.toServer) }
    if toClient.handshake == nil { pairs.missPings(.toClient) }
    self.framings = framings
    framed = FramedLayer(
      framings.toServer, framings.toClient, carrying: chooser.layer(for: opening),
      isFromStart: isFromStart)
    mode = .open
  }

  /// Bytes that were told and are accounted for when their direction ends.
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
      // One side is done, but not before all that it said was understood.
      if ending == .half { return held.append(half: delivery) }
      decide(delivery, listener)
    }
    if framed == nil { return }
    let direction = delivery.origin.direction
    if ending != .half || direction == .toServer { Self.giveUp(&toServer, listener) }
    if ending != .half || direction == .toClient { Self.giveUp(&toClient, listener) }
    framed?.finish(ending, delivery, listener)
  }

  /// No more comes of a handshake.
  private static func giveUp(_ side: inout Side, _ listener: any Listener) {
    if side.hasGreeted || side.greeting.isEmpty { return }
    listener.account(.incomplete, side.greeting.count)
    side.greeting.removeAll()
  }
}
