// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

extension RawSocketLayer {
  /// Takes the handshake of one side, and holds the following bytes until the other side's has
  /// come.
  mutating func greet(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    let isUp = delivery.origin.direction == .toServer
    let left = Handshake.size - (isUp ? toServer.greeted : toClient.greeted)
    let count = min(left, bytes.byteCount)
    if count > 0 {
      let octets = bytes.extracting(0..<count)
      if isUp { toServer.append(octets) } else { toClient.append(octets) }
    }
    var rest = delivery
    rest.origin.offset &+= UInt64(count)
    if count > 0 && count == left { welcome(rest, listener) }
    if count == bytes.byteCount { return }
    if count > 0 { rest.edges.remove(.start) }
    if case .greeting = mode {
      hold(bytes.dropping(count), rest, listener)
    } else {
      receive(bytes.dropping(count), rest, listener)
    }
  }

  /// Some or all bytes of a handshake were not captured.
  mutating func missGreeting(
    _ missing: Int?, _ delivery: Delivery, _ listener: any Listener
  ) {
    let isUp = delivery.origin.direction == .toServer
    let left = Handshake.size - (isUp ? toServer.greeted : toClient.greeted)
    let count = min(missing ?? left, left)
    if isUp { toServer.greeted += count } else { toClient.greeted += count }
    var end = delivery
    end.origin.offset &+= UInt64(count)
    if count == left { welcome(end, listener) }
    let rest = missing.map { $0 - count }
    if rest == 0 { return }
    gap(rest, end, listener)
  }

  private mutating func hold(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if held.isEmpty { heldSince = delivery.origin.time }
    held.append(bytes, delivery)
    let waited = delivery.origin.time.nanoseconds &- heldSince.nanoseconds
    if held.cost > limits.undecidedBytes || (heldSince.isKnown && waited > limits.gapTimeout) {
      decide(delivery, listener)
    }
  }

  /// The handshake of one side is complete or was missed.
  private mutating func welcome(_ delivery: Delivery, _ listener: any Listener) {
    let half = delivery.origin.direction == .toServer ? toServer : toClient
    let count = half.greeting.count
    listener.account(count == Handshake.size ? .reported : .incomplete, count)
    switch mode {
    case .refused: return
    case .greeting:
      if toServer.hasGreeted && toClient.hasGreeted { decide(delivery, listener) }
    case .open:
      // It came after the connection was opened without it.
      if refuses(delivery, listener) {
        mode = .refused
        return
      }
      check(half.handshake, delivery, listener)
      announce()
    }
  }

  /// Opens the connection with what is known, or reports why it is refused.
  mutating func decide(_ delivery: Delivery, _ listener: any Listener) {
    if refuses(delivery, listener) {
      mode = .refused
    } else {
      open(delivery, listener)
    }
    if case .refused = mode {
      for half in [toServer, toClient] where !half.hasGreeted {
        listener.account(.unread, half.greeting.count)
      }
    }
    let waiting = held
    held.removeAll()
    waiting.replay(into: &self, listener)
  }

  /// Reports why the two sides cannot speak RawSocket; true if so.
  private func refuses(_ delivery: Delivery, _ listener: any Listener) -> Bool {
    let ends = "\(opening.client) and \(opening.server)"
    if let answer = toClient.handshake {
      if !answer.hasMagic {
        listener.finding(
          .badMagic, .error, delivery.origin,
          "\(opening.client) speaks RawSocket, but what \(opening.server) answers does not"
            + " begin with 0x7F; both sides are passed over")
        return true
      }
      if answer.isError {
        let asked = toServer.handshake.map {
          " (the client asks for \($0.serializer.name), and takes \($0.mostOctets) bytes)"
        }
        listener.finding(
          .errorReply, .error, delivery.origin,
          "the router refuses RawSocket between \(ends): "
            + Handshake.error(answer.exponent) + (asked ?? ""))
        return true
      }
    }
    if let request = toServer.handshake, !request.hasMagic {
      listener.finding(
        .badMagic, .error, delivery.origin,
        "\(opening.server) speaks RawSocket, but what \(opening.client) sent does not begin"
          + " with 0x7F; both sides are passed over")
      return true
    }
    return false
  }

  private mutating func open(_ delivery: Delivery, _ listener: any Listener) {
    let (request, answer) = (toServer.handshake, toClient.handshake)
    let serializer = (answer ?? request)?.serializer
    opening.carrier = .rawSocket
    opening.subprotocol = Array((serializer?.subprotocol ?? "").utf8)
    opening.mostOctets = Opening.MostOctets(
      toServer: answer?.mostOctets, toClient: request?.mostOctets)
    if request == nil || answer == nil { opening.isFromStart = false }
    if reportsHeads { opening.heads = Self.lines(request, "client") + Self.lines(answer, "router") }
    listener.opened(opening, delivery)
    if request == nil || answer == nil {
      listener.finding(
        .rawSocketHandshakeMissing, .note, delivery.origin,
        request == nil
          ? "the handshake of the client was not captured: how much it takes is not known"
          : "there is no handshake of the router: it did not answer, or that was not captured")
    }
    check(request, delivery, listener)
    check(answer, delivery, listener)
    if let request, let answer, request.serializer != answer.serializer {
      listener.finding(
        .serializerMismatch, .error, delivery.origin,
        "the client asks for \(request.serializer.name), and the router answers with"
          + " \(answer.serializer.name)")
    }
    begin(serializer, isFromStart: true)
    announce()
  }

  /// Sets the limit of each direction from the receiver's handshake.
  private mutating func announce() {
    if let most = toClient.handshake?.mostOctets { framings?.toServer.mostOctets = most }
    if let most = toServer.handshake?.mostOctets { framings?.toClient.mostOctets = most }
  }

  private func check(
    _ handshake: Handshake?, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard let handshake, handshake.reserved != 0 else { return }
    listener.finding(
      .reservedBits, .error, delivery.origin,
      "the last two bytes of a handshake must be zero, and are not")
  }

  /// `client: 7FF10000, JSON, takes 16777216 bytes`
  private static func lines(_ handshake: Handshake?, _ who: String) -> [[UInt8]] {
    guard let handshake else { return [] }
    let digits = String(handshake.octets, radix: 16, uppercase: true)
    return [
      Array(
        "\(who): \(digits), \(handshake.serializer.name), takes \(handshake.mostOctets) bytes".utf8)
    ]
  }
}
