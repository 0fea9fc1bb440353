// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Tells the messages of one dialect from other texts. It keeps its working memory: a log shows it
/// many lists.
public protocol Recogniser {
  /// How much a text is like a message of this dialect.
  mutating func recognise(
    _ text: RawSpan, _ kind: Delivery.Kind, in context: Recognition.Context
  ) -> Recognition

  /// Whether it tells its messages from other text of a log by themselves.
  var isForTexts: Bool { get }

  /// Whether its messages may be lists of JSON, with nothing ahead of them. Logs are full of lists:
  /// dialects without such messages are not asked.
  var isOfLists: Bool { get }

  /// What stands ahead of the JSON of its messages, as `42` of Socket.IO: it is looked for in lines
  /// of logs.
  var starts: [TextStart] { get }

  /// Whether its messages may be objects.
  var isOfObjects: Bool { get }

  /// Words that only its objects have, as `jsonrpc`: on lines with one of them, objects are read.
  var objectMarks: [StaticString] { get }

  /// Why a pasted text that it did not recognise is no message of this dialect, in words.
  mutating func refusal(of pasted: RawSpan) -> String
}

extension Recogniser {
  public var isForTexts: Bool { true }
  public var isOfLists: Bool { true }
  public var starts: [TextStart] { [] }
  public var isOfObjects: Bool { false }
  public var objectMarks: [StaticString] { [] }
}
