// SPDX-License-Identifier: Apache-2.0

/// Distinguishes messages from other texts, for inputs that contain both. Each input has one of its
/// own, as it has working memory and inputs are read on several threads.
public protocol TextRecogniser: AnyObject {
  /// How well a text matches a message.
  func recognise(_ text: RawSpan, _ kind: Delivery.Kind) -> Recognition

  /// The same in a conversation whose handshake selected a subprotocol: dialects that do not speak
  /// it are not considered.
  func recognise(
    _ text: RawSpan, _ kind: Delivery.Kind, subprotocol: [UInt8]
  ) -> Recognition

  /// The same for a text that matches no dialect by itself, on a line that says that somebody sent
  /// it: any JSON object counts as a message then, and so does a list of a JSON protocol.
  func recognise(sent text: RawSpan, _ kind: Delivery.Kind) -> Recognition

  /// Whether `recognise(sent:)` is to be used: not when the user has named another dialect.
  var takesSentJSON: Bool { get }

  /// What a message says about its conversation, where the line names the dialect; `dialect` is
  /// empty where it does not.
  func recognise(_ text: RawSpan, as dialect: String) -> Recognition

  /// What messages have before their JSON, such as `42` of Socket.IO.
  var textStarts: [TextStart] { get }

  /// Whether any JSON object may be a message, because the user named a dialect whose messages are
  /// objects.
  var takesObjects: Bool { get }

  /// Words that among objects only messages contain, such as `jsonrpc`.
  var objectMarks: [StaticString] { get }

  /// How well a text that is known to be sent matches a dialect that has `textStarts`; nil for no
  /// match.
  func recognise(packet: RawSpan) -> Recognition?

  /// Readers of logs that describes in words what was sent.
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

/// For inputs that are read without looking for messages in text.
public final class NoTextRecogniser: TextRecogniser {
  public init() {}
  public func recognise(_: RawSpan, _: Delivery.Kind) -> Recognition { .none }
}
