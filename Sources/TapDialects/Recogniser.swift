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

  /// Whether it recognises any text that stands among others.
  var isForTexts: Bool { get }

  /// How its messages begin that are JSON behind something of its own: where they stand among other
  /// words, they are looked for by this.
  var starts: [TextStart] { get }

  /// Whether its messages may be objects.
  var isOfObjects: Bool { get }

  /// What only its objects say: they are looked for on lines that have it.
  var objectMarks: [StaticString] { get }

  /// Why a pasted text that it did not recognise is no message of this dialect, in words.
  mutating func refusal(of pasted: RawSpan) -> String
}

extension Recogniser {
  public var isForTexts: Bool { true }
  public var starts: [TextStart] { [] }
  public var isOfObjects: Bool { false }
  public var objectMarks: [StaticString] { [] }
}
