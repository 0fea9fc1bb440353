// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapHTTP
import TapTraffic
import TapWebSocket

/// A stream that was pasted or found in a log, from its first byte: a handshake or frames. The
/// first frame or head of a side shows which side it is, whatever was guessed.
struct PastedDetector: DecidingLayer.Detector {
  private let opening: Opening
  private let factory: LayerFactory
  /// The first bytes of the side that spoke first.
  private var first: [UInt8] = []
  private var side = Direction.unknown

  init(_ opening: Opening, _ factory: LayerFactory) {
    (self.opening, self.factory) = (opening, factory)
  }

  mutating func look(
    _ bytes: RawSpan, _ delivery: Delivery, since: Delivery, _ listener: any Listener
  ) -> DecidingLayer.Decision {
    if side == .unknown { side = delivery.origin.direction }
    guard side == delivery.origin.direction else { return .wait }
    first += bytes.extracting(0..<min(bytes.byteCount, 16)).copied()
    switch HTTPStart.recognise(first.span.bytes) {
    case true: return http()
    case nil: return .wait
    case false: return first.count < 2 ? .wait : frames(since, listener)
    }
  }

  /// The stream cannot begin with a WebSocket frame: its first byte has a reserved bit or an
  /// unknown opcode (RFC 6455 §5.2). Asked only where it is known which side sent the bytes, as in
  /// what Wireshark's Follow Stream writes.
  private var cannotBeFrames: Bool {
    guard let byte = first.first, side != .unknown, !opening.provenance.hasOctets else {
      return false
    }
    return byte & 0x30 != 0 || !Opcode(rawValue: byte & 0x0F).isKnown
  }

  mutating func settle(_ since: Delivery, _ listener: any Listener) -> DecidingLayer.Decision {
    if HTTPStart.recognise(first.span.bytes) != false && first.count >= 2 { return http() }
    return frames(since, listener)
  }

  private func http() -> DecidingLayer.Decision {
    let isReversed = first.starts(with: "HTTP/".utf8) == (side == .toServer)
    return .layer(factory.http(opening), isReversed: isReversed)
  }

  private func frames(
    _ since: Delivery, _ listener: any Listener
  ) -> DecidingLayer.Decision {
    if cannotBeFrames { return .layer(factory.layer(for: opening), isReversed: false) }
    let isMasked = first.count > 1 && first[1] & 0x80 != 0
    // A pasted stream without a handshake is shown without a connection.
    if opening.provenance.hasOctets {
      listener.opened(LayerFactory.withoutHandshake(opening), since)
    }
    return .layer(factory.frames(opening), isReversed: isMasked != (side == .toServer))
  }
}
