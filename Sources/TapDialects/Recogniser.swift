// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Recognises messages of one dialect. It keeps its working memory, as logs contain many lists.
public protocol Recogniser {
  /// How well a text fits this dialect.
  mutating func recognise(
    _ text: RawSpan, _ kind: Delivery.Kind, in context: Recognition.Context
  ) -> Recognition

  /// Whether it can recognise single messages among other text of a log.
  var isForTexts: Bool { get }

  /// Whether its messages may be JSON lists without a prefix. Logs are full of lists, so other
  /// dialects are not tried on them.
  var isOfLists: Bool { get }

  /// Prefixes of the JSON in its messages, such as `42` of Socket.IO, to search for in log lines.
  var starts: [TextStart] { get }

  /// Whether its messages may be JSON objects.
  var isOfObjects: Bool { get }

  /// Words that only its objects have, such as `jsonrpc`: objects are read on lines with one of
  /// them.
  var objectMarks: [StaticString] { get }

  /// Explains why a pasted text that was not recognised is not a message of this dialect.
  mutating func refusal(of pasted: RawSpan) -> String
}

extension Recogniser {
  public var isForTexts: Bool { true }
  public var isOfLists: Bool { true }
  public var starts: [TextStart] { [] }
  public var isOfObjects: Bool { false }
  public var objectMarks: [StaticString] { [] }
}
