// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

/// A session over WebSocket. Orders choose, for each message, how it is damaged; for each frame,
/// its segments; and which of these were not captured.
///
/// Damage does not change the names of credentials: a renamed `password` would not be recognisable.
struct DamagedTalk {
  private enum Damage: UInt8 {
    case none, endsEarly, hasAnotherBehind, hasJunkBefore, isFragmented, isTwice, isBinary
    case isNotSent
  }

  private var talk = Dialogue()
  private var deflaters: [Direction: Deflater] = [:]

  var packets: [CaptureBuilder.Timed] { talk.packets }

  init(_ session: SecretSession, _ orders: inout Orders) {
    let isCompressed = orders.next() & 1 == 0
    let extensions = isCompressed ? "permessage-deflate" : nil
    talk.connect()
    talk.request(session.subprotocol, extensions: extensions)
    let isRequestLost = lose(&orders)
    talk.respond(session.subprotocol, extensions: extensions)
    let isKnown = !lose(&orders) && !isRequestLost
    for (index, (direction, message)) in session.messages.enumerated() {
      let order = orders.next()
      var opcode = session.opcode
      var message = message
      var count = 1
      switch Damage(rawValue: order & 7) ?? .none {
      case .none, .isFragmented: break
      case .isNotSent: count = 0
      case .isTwice: count = 2
      // Without a known serializer, bytes that are not a valid message may be anything.
      case .hasJunkBefore where session.serializer != .json && !isKnown: break
      case .endsEarly where session.serializer == .flatbuffers && !isKnown: break
      case .hasAnotherBehind where session.serializer == .flatbuffers && !isKnown: break
      case .endsEarly: message.removeLast(min(message.count, Int(orders.next())))
      case .hasJunkBefore:
        message.insert(contentsOf: (0..<order >> 3).map { _ in orders.next() }, at: 0)
      case .hasAnotherBehind:
        let other = (index + Int(order >> 3)) % session.messages.count
        message += session.messages[other].bytes
      case .isBinary: opcode = 2
      }
      for _ in 0..<count {
        let isWhole = order & 7 != Damage.isFragmented.rawValue
        send(direction, opcode, message, isCompressed, pieces: isWhole ? 1 : 2, &orders)
      }
    }
    talk.close()
  }

  private mutating func send(
    _ direction: Direction, _ opcode: UInt8, _ message: [UInt8], _ isCompressed: Bool, pieces: Int,
    _ orders: inout Orders
  ) {
    let payload =
      isCompressed ? deflaters[direction, default: Deflater()].message(message) : message
    let size = max(1, (payload.count + pieces - 1) / pieces)
    for piece in 0..<pieces {
      let end = min(payload.count, (piece + 1) * size)
      let bytes = Dialogue.frame(
        fin: piece == pieces - 1, rsv: isCompressed && piece == 0 ? 4 : 0,
        opcode: piece == 0 ? opcode : 0, masked: direction == .toServer,
        Array(payload[min(piece * size, end)..<end]), number: talk.frames)
      talk.frames += 1
      capture(direction, bytes, &orders)
    }
  }

  /// Sends bytes in segments of up to 64 bytes, some of which are lost, or in one segment.
  private mutating func capture(
    _ direction: Direction, _ bytes: [UInt8], _ orders: inout Orders
  ) {
    let order = orders.next()
    let size = order & 0x80 == 0 ? bytes.count : Int(order & 0x3F) + 1
    let lost = order == 0 ? 0 : orders.next()
    var (start, number) = (0, 0)
    while start < bytes.count {
      let end = min(bytes.count, start + size)
      talk.send(direction, Array(bytes[start..<end]))
      if lost >> (number & 7) & 1 != 0 { talk.drop() }
      (start, number) = (end, number + 1)
    }
  }

  /// Drops the last packet from the capture, if the order says so.
  private mutating func lose(_ orders: inout Orders) -> Bool {
    let isLost = orders.next() & 0x81 == 0x81
    if isLost { talk.drop() }
    return isLost
  }
}
