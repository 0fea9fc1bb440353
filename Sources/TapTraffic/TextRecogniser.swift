// SPDX-License-Identifier: Apache-2.0

/// Tells messages from other texts, for inputs that find both. An input has one of its own, as it
/// keeps working memory and inputs are read on several threads.
public protocol TextRecogniser: AnyObject {
  /// How much a text is like a message.
  func recognise(_ text: RawSpan, _ kind: Delivery.Kind) -> Recognition

  /// The same in a conversation whose handshake has chosen a subprotocol: none of dialects that do
  /// not speak it.
  func recognise(
    _ text: RawSpan, _ kind: Delivery.Kind, subprotocol: [UInt8]
  ) -> Recognition

  /// The same for what is like none by itself, on a line that says that somebody sent it: an object
  /// is one then, and so is a list of a protocol of JSON.
  func recognise(sent text: RawSpan, _ kind: Delivery.Kind) -> Recognition

  /// Whether those are asked for: the user has named no other dialect.
  var takesSentJSON: Bool { get }

  /// What a message says of the conversation around it, where its line says what dialect it is of;
  /// empty where it does not.
  func recognise(_ text: RawSpan, as dialect: String) -> Recognition

  /// What stands ahead of the JSON of messages, as `42` of Socket.IO.
  var textStarts: [TextStart] { get }

  /// Whether any object may be a message: the user has named a dialect of objects.
  var takesObjects: Bool { get }

  /// Words that only those objects have that are messages, as `jsonrpc`.
  var objectMarks: [StaticString] { get }

  /// How much a text is like a message of a dialect that says how its messages begin, where it is
  /// known that somebody sent it; nil where it is like none.
  func recognise(packet: RawSpan) -> Recognition?

  /// Readers of logs that tell in words what was sent.
  func narratedLogs() -> [any NarratedLog]

  /// How programs print messages by the names of their elements.
  var printedMessages: PrintedMessages { get }
}

extension TextRecogniser {
  public func recognise(
    _ text: RawSpan, _ kind: Delivery.Kind, subprotocol _: [UInt8]
  ) -> Recognition { recognise(text, kind) }

  public func recognise(sent _: RawSpan, _: Delivery.Kind) -> Recognition { .none }

  public var takesSentJSON: Bool { false }

  public func recognise(_ text: RawSpan, as _: String) -> Recognition {
    recognise(text, .text)
  }

  public var textStarts: [TextStart] { [] }

  public var takesObjects: Bool { false }

  public var objectMarks: [StaticString] { [] }

  public func recognise(packet _: RawSpan) -> Recognition? { nil }

  public func narratedLogs() -> [any NarratedLog] { [] }

  public var printedMessages: PrintedMessages { PrintedMessages() }
}

/// For inputs whose bytes are all that there is to know: no text is a message.
public final class NoTextRecogniser: TextRecogniser {
  public init() {}
  public func recognise(_: RawSpan, _: Delivery.Kind) -> Recognition { .none }
}
