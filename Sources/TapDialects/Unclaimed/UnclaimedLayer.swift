// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Messages that no dialect claims: told as what WebSocket calls them, TEXT and BINARY, under the
/// name of what carries them.
public struct UnclaimedLayer: Layer {
  /// The messages may hold credentials where they cannot be found.
  private let mayHoldSecrets: Bool

  private let carrier: StaticString

  public init(mayHoldSecrets: Bool = false, carrier: Opening.Carrier = .webSocket) {
    self.mayHoldSecrets = mayHoldSecrets
    self.carrier = Self.name(of: carrier)
  }

  /// What messages are called by that no dialect reads.
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
    let mayHoldSecrets =
      mayHoldSecrets || Dialects.all.contains { $0.mayHoldCredentials(bytes, delivery) }
    Self.tell(bytes, delivery, mayHoldSecrets: mayHoldSecrets, carrier: carrier, listener)
  }

  /// A message that cannot be read any more: what stands for it is shown.
  public static func withhold(
    _ bytes: RawSpan, _ delivery: Delivery, _ carrier: Opening.Carrier, _ listener: any Listener
  ) {
    withhold(bytes, delivery, carrier: name(of: carrier), listener)
  }

  static func withhold(
    _ bytes: RawSpan, _ delivery: Delivery, carrier: StaticString, _ listener: any Listener
  ) {
    let words = bytes.dropping(Int(delivery.certainBytes))
    var message = Message(carrier, "BINARY", delivery.origin)
    message.payload = ByteRange(0, words.byteCount)
    message.traits = [.isText, .isUnclaimed]
    listener.message(message, words, Span())
  }

  public mutating func gap(_: Int?, _: Delivery, _: any Listener) {}
  public mutating func finish(_: Ending, _: Delivery, _: any Listener) {}

  /// Tells a message by its frame type alone; dialects use it for messages that are not theirs.
  ///
  /// - Parameters:
  ///   - mayHoldSecrets: whether it is shown only to those who asked to see secrets.
  ///   - name: what the carrier calls it, where that is not by its frame type.
  static func tell(
    _ bytes: RawSpan, _ delivery: Delivery, mayHoldSecrets: Bool = false, carrier: StaticString,
    named name: Symbol? = nil, _ listener: any Listener
  ) {
    // SockJS has messages of text alone, and calls them so.
    let usual: Symbol =
      Symbol(carrier).equals("sockjs")
      ? "MESSAGE" : delivery.kind == .binary ? "BINARY" : "TEXT"
    var message = Message(carrier, name ?? usual, delivery.origin)
    message.payload = ByteRange(0, bytes.byteCount)
    if delivery.kind == .text || delivery.kind == .abridged { message.traits = .isText }
    if delivery.kind.isPartial { message.traits = [.isText, .isPartial] }
    if delivery.kind.hidesText { message.traits.insert(.hidesText) }
    message.traits.insert(.isUnclaimed)
    var notes = ContiguousArray<Note>()
    if mayHoldSecrets {
      // A text can be read; what it says is not for everybody.
      let word: StaticString = delivery.kind == .binary ? "not decoded" : "withheld"
      notes.append(Note(.bulk, Symbol(word), message.payload))
    }
    listener.message(message, bytes, notes.span)
  }
}
