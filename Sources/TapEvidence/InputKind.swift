// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// A kind of evidence that is recognised by its first bytes.
public protocol InputKind: Input, SendableMetatype {
  /// What `--input` calls it.
  static var name: StaticString { get }
  /// Whether a file that begins with `head` is of this kind. `head` may be cut anywhere, so the
  /// answer is yes or no only if no further byte could change it.
  ///
  /// - Parameter isAll: `head` is the whole file.
  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim
  /// Whether `head` ends inside of a construct of this kind that spans several lines, so that its
  /// whole lines decide nothing yet. False where a kind cannot decide.
  static func isUnfinished(_ head: RawSpan) -> Bool
  /// Nil when there is no memory or the evidence is nested too deeply.
  init?(_ place: Place, limits: Limits)
}

extension InputKind {
  public static func isUnfinished(_ head: RawSpan) -> Bool { false }
}
