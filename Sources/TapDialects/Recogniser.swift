// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Finds the messages of one dialect among other texts, with nothing around that says what they
/// are. It keeps its working memory: a log shows it many lists.
public protocol Recogniser {
  /// How much a text is like a message of this dialect.
  mutating func likeness(of text: RawSpan, _ kind: Delivery.Kind) -> Likeness
}
