// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// WAMP RawSocket: the handshakes of both sides, then frames, each of which is one message (WAMP,
/// "RawSocket Transport").
///
/// A frame that lies whole in what was lent is passed up where it lies. After a gap it goes on
/// exactly where the length of the frame allows it, and searches for the next frame where it does
/// not.
public struct RawSocketLayer: Layer {
  enum Mode {
    /// Not both handshakes are behind us.
    case greeting
    case open
    /// One of the sides did not agree.
    case refused
  }

  var mode = Mode.greeting
  /// A connection was told, whose end has to be told.
  var hasOpened = false
  var toServer = Half()
  var toClient = Half()
  var above: any Layer = NullLayer()
  /// What follows the handshake of one side while that of the other is awaited.
  var held = ReplayBuffer()
  var heldSince = Instant.unknown
  var opening: Opening
  let chooser: any Chooser
  let limits: Limits
  /// Whether the handshakes are wanted in words.
  let tellsHeads: Bool
  private let frameLimits: FrameLimits
  private var firstEnd: Direction = .unknown
  private var hasEnded = false
  private var isSettled = false

  /// - Parameters:
  ///   - opening: the stream that is RawSocket.
  ///   - chooser: chooses what carries on with the messages.
  ///   - tellsHeads: whether the handshakes are told in words too, and frames with what they carry.
  public init(
    _ opening: Opening, _ chooser: any Chooser, limits: Limits, tellsHeads: Bool = false
  ) {
    (self.opening, self.chooser, self.limits) = (opening, chooser, limits)
    (self.tellsHeads, frameLimits) = (tellsHeads, FrameLimits(limits))
    (toServer.tellsFrames, toClient.tellsFrames) = (tellsHeads, tellsHeads)
    (toServer.room, toClient.room) = (
      Reservation(limits.assembledBytes), Reservation(limits.assembledBytes)
    )
  }

  /// In mid-stream: nobody has the handshakes, and where the frames begin has to be found.
  ///
  /// - Parameter serializer: its number, as the messages show it.
  public init(
    midstream opening: Opening, _ chooser: any Chooser, serializer: UInt8, limits: Limits,
    tellsFrames: Bool = false
  ) {
    self.init(opening, chooser, limits: limits, tellsHeads: tellsFrames)
    let serializer = Serializer(number: serializer)
    (toServer.serializer, toClient.serializer) = (serializer, serializer)
    (toServer.greeted, toClient.greeted) = (Handshake.size, Handshake.size)
    (toServer.mayLackPings, toClient.mayLackPings) = (true, true)
    toServer.search = MessageSearch(serializer)
    toClient.search = MessageSearch(serializer)
    above = chooser.layer(for: opening)
    (mode, hasOpened) = (.open, true)
  }

  /// What a stream in mid-course is told to have opened as.
  public static func opening(midstream stream: Opening, serializer: UInt8) -> Opening {
    var opening = stream
    opening.carrier = .rawSocket
    opening.isFromStart = false
    opening.subprotocol = Array(Serializer(number: serializer).subprotocol.utf8)
    return opening
  }

  /// Bytes that were told and are accounted for when their direction ends.
  var unaccounted: Int { toServer.told + toClient.told }

  public mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    let isUp = delivery.origin.direction == .toServer
    if case .open = mode, isUp ? toServer.hasGreeted : toClient.hasGreeted {
      if isUp {
        Self.receive(bytes, delivery, &toServer, &toClient, &above, frameLimits, listener)
      } else {
        Self.receive(bytes, delivery, &toClient, &toServer, &above, frameLimits, listener)
      }
      if !isSettled { settle() }
      return
    }
    if case .refused = mode { return listener.account(.unread, bytes.byteCount) }
    greet(bytes, delivery, listener)
  }

  /// Holds the dialect itself, once it is known.
  @inline(never) private mutating func settle() {
    switch above.settlement {
    case .notYet: return
    case .by(let next): above = next
    case .final: isSettled = true
    }
  }

  public mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    let isUp = delivery.origin.direction == .toServer
    if case .refused = mode { return }
    guard isUp ? toServer.hasGreeted : toClient.hasGreeted else {
      return missGreeting(missing, delivery, listener)
    }
    guard case .open = mode else { return held.append(gap: missing, delivery) }
    if isUp {
      Self.gap(missing, delivery, &toServer, &toClient, &above, frameLimits, listener)
    } else {
      Self.gap(missing, delivery, &toClient, &toServer, &above, frameLimits, listener)
    }
    above.gap(nil, delivery, listener)
  }

  public mutating func finish(
    _ ending: Ending, _ delivery: Delivery, _ listener: any Listener
  ) {
    if hasEnded { return }
    if case .greeting = mode {
      // One side is done, but not before all that it said was understood.
      if ending == .half { return held.append(half: delivery) }
      decide(delivery, listener)
    }
    let direction = delivery.origin.direction
    if firstEnd == .unknown && ending != .endOfEvidence { firstEnd = direction }
    if ending != .half { hasEnded = true }
    if !hasOpened { return }
    if ending != .half || direction == .toServer {
      Self.flush(delivery, .toServer, &toServer, &toClient, &above, frameLimits, listener)
    }
    if ending != .half || direction == .toClient {
      Self.flush(delivery, .toClient, &toClient, &toServer, &above, frameLimits, listener)
    }
    if ending == .half { return }
    above.finish(ending, delivery, listener)
    listener.closed(Closing(stream: ending, by: firstEnd), delivery)
  }
}
