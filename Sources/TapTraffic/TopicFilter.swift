// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// What a subscription asks for: one topic, or all topics that match a pattern.
public struct TopicFilter: Sendable, Equatable {
  /// How topics are compared with `text`.
  public enum Form: Sendable, Equatable {
    case exact
    /// Topics that begin with it.
    case prefix
    /// Part by part between separators: an empty part of the text matches any part.
    case emptyParts(separator: UInt8)
    /// Part by part: the word `any` matches any one part, `rest` all parts that follow. Either is
    /// empty where the protocol has none.
    case words(separator: UInt8, any: StaticString, rest: StaticString)

    public static func == (left: Form, right: Form) -> Bool {
      switch (left, right) {
      case (.exact, .exact), (.prefix, .prefix): true
      case (.emptyParts(let one), .emptyParts(let other)): one == other
      case (.words(let one, _, _), .words(let other, _, _)): one == other
      default: false
      }
    }
  }

  /// As it was sent.
  public var text: [UInt8]
  public var form: Form
  /// Each message goes to only one of those who share it: a queue, a shared subscription.
  public var isShared = false
  /// It excludes what its own session publishes (MQTT 5.0, 3.8.3.1, No Local).
  public var refusesOwn = false

  public init(_ text: [UInt8], _ form: Form = .exact) { (self.text, self.form) = (text, form) }

  public func matches(_ topic: RawSpan) -> Bool {
    let own = text.span.bytes
    switch form {
    case .exact: return topic.equals(own)
    case .prefix:
      return topic.byteCount >= own.byteCount
        && topic.extracting(0..<own.byteCount).equals(own)
    case .emptyParts(let separator):
      return Self.matches(own, topic, separator) { part, _ in part.isEmpty ? .one : .literal }
    case .words(let separator, let any, let rest):
      // A filter that begins with a wildcard does not match a topic that begins with `$` (MQTT 5.0,
      // 4.7.2).
      if topic.byteCount > 0, topic.byte(at: 0) == UInt8(ascii: "$"), own.byteCount > 0,
        own.byte(at: 0) != UInt8(ascii: "$")
      {
        return false
      }
      return Self.matches(own, topic, separator) { part, _ in
        if any.utf8CodeUnitCount > 0 && part.equals(any) { return .one }
        return rest.utf8CodeUnitCount > 0 && part.equals(rest) ? .rest : .literal
      }
    }
  }

  /// What one part of a pattern stands for.
  private enum Part { case literal, one, rest }

  private static func matches(
    _ pattern: RawSpan, _ topic: RawSpan, _ separator: UInt8,
    _ meaning: (RawSpan, Int) -> Part
  ) -> Bool {
    var (at, next) = (0, 0)
    while true {
      let stop = pattern.firstIndex(of: separator, from: next) ?? pattern.byteCount
      let part = pattern.extracting(next..<stop)
      let means = meaning(part, next)
      if means == .rest { return true }
      let end = topic.firstIndex(of: separator, from: at) ?? topic.byteCount
      if means == .literal && !topic.extracting(at..<end).equals(part) { return false }
      let isLast = (end == topic.byteCount, stop == pattern.byteCount)
      if isLast.0 && !isLast.1 {
        // `a/#` matches `a`, too (MQTT 5.0, 4.7.1.2).
        let tail = pattern.extracting(stop + 1..<pattern.byteCount)
        return meaning(tail, stop + 1) == .rest
      }
      if isLast.1 { return isLast.0 }
      (at, next) = (end + 1, stop + 1)
    }
  }
}
