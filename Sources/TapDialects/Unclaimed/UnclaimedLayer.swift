// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Messages that no dialect claims: reported by their WebSocket type, TEXT or BINARY, under the
/// name of their carrier.
public struct UnclaimedLayer: Layer {
  /// The messages may contain credentials that cannot be located.
  private let mayHoldSecrets: Bool

  /// The handshake was not captured, and the server has sent nothing yet: messages of the client
  /// may be pieces of one that logs in. MQTT.js sends each field of CONNECT in one of its own.
  private var mayBePieces: Bool

  private let carrier: StaticString

  public init(mayHoldSecrets: Bool = false, carrier: Opening.Carrier = .webSocket) {
    (self.mayHoldSecrets, mayBePieces) = (mayHoldSecrets, false)
    self.carrier = Self.name(of: carrier)
  }

  /// For a conversation of which no message has shown the dialect.
  public init(_ opening: Opening) {
    self.init(carrier: opening.carrier)
    mayBePieces =
      opening.carrier == .webSocket && !opening.isFromStart && opening.subprotocol.isEmpty
  }

  /// The protocol name of unclaimed messages.
  static func name(of carrier: Opening.Carrier) -> StaticString {
    switch carrier {
    case .rawSocket: "rawsocket"
    case .sockJS: "sockjs"
    case .webSocket: "websocket"
    case .stream: "tcp"
    case .http: "http"
    }
  }

  public mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if delivery.kind == .withheld {
      return Self.withhold(bytes, delivery, carrier: carrier, listener)
    }
    if delivery.origin.direction == .toClient { mayBePieces = false }
    let mayHoldSecrets =
      mayHoldSecrets || mayBePieces && delivery.kind == .binary
      || Dialects.all.contains { $0.mayHoldCredentials(bytes, delivery) }
    Self.report(bytes, delivery, mayHoldSecrets: mayHoldSecrets, carrier: carrier, listener)
  }

  /// Reports a message that cannot be read any more, without its content.
  public static func withhold(
    _ bytes: RawSpan, _ delivery: Delivery, _ carrier: Opening.Carrier, _ listener: any Listener
  ) {
    withhold(bytes, delivery, carrier: name(of: carrier), listener)
  }

  static func withhold(
    _ bytes: RawSpan, _ delivery: Delivery, carrier: StaticString, _ listener: any Listener
  ) {
    let words = bytes.dropping(Int(delivery.certainBytes))
    // Of text it is said that it is withheld, of bytes that they are not decoded.
    let isText = words.starts(with: "<withheld, ")
    var message = Message(carrier, name(ofText: isText, on: carrier), delivery.origin)
    message.payload = ByteRange(0, words.byteCount)
    message.traits = [.isText, .isUnclaimed, .hidesText]
    message.sentBytes = delivery.sentBytes
    listener.message(message, words, Span())
  }

  /// SockJS has only text messages, and calls them messages.
  private static func name(ofText isText: Bool, on carrier: StaticString) -> Symbol {
    Symbol(carrier).equals("sockjs") ? "MESSAGE" : isText ? "TEXT" : "BINARY"
  }

  public mutating func gap(_: Int?, _: Delivery, _: any Listener) {}
  public mutating func finish(_: Ending, _: Delivery, _: any Listener) {}

  /// Reports a message by its frame type only; dialects use it for messages that they cannot read.
  ///
  /// - Parameters:
  ///   - mayHoldSecrets: show the content only if the user asked to see secrets.
  ///   - name: the carrier's name for it, if not its frame type.
  static func report(
    _ bytes: RawSpan, _ delivery: Delivery, mayHoldSecrets: Bool = false, carrier: StaticString,
    named name: Symbol? = nil, _ listener: any Listener
  ) {
    let usual = Self.name(ofText: delivery.kind != .binary, on: carrier)
    var message = Message(carrier, name ?? usual, delivery.origin)
    message.payload = ByteRange(0, bytes.byteCount)
    if delivery.kind == .text || delivery.kind == .abridged { message.traits = .isText }
    if delivery.kind.isPartial { message.traits = [.isText, .isPartial] }
    if delivery.kind.hidesText { message.traits.insert(.hidesText) }
    message.traits.insert(.isUnclaimed)
    message.sentBytes = delivery.sentBytes
    var notes = ContiguousArray<Note>()
    if mayHoldSecrets || JSONDialect().mayHoldCredentials(bytes, delivery) {
      // Text is readable, so it is withheld rather than not decoded.
      let word: StaticString = delivery.kind == .binary ? "not decoded" : "withheld"
      notes.append(Note(.bulk, Symbol(word), message.payload))
    } else if delivery.kind == .text {
      for client in JSONSecrets.clients(in: bytes) {
        notes.append(Note(.secret, "session", client))
      }
    }
    listener.message(message, bytes, notes.span)
  }
}
