// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// A kind of evidence that is recognised by its first bytes.
public protocol InputKind: Input, SendableMetatype {
  /// What `--input` calls it.
  static var name: StaticString { get }
  /// Whether a file that begins with `head` is of this kind. Yes and no are said only where no
  /// byte that follows could change it: files come cut anywhere.
  ///
  /// - Parameter isAll: nothing follows `head`.
  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim
  /// Whether `head` ends inside of something that began as this kind does and goes over several
  /// lines: its whole lines decide nothing yet. False where a kind does not say.
  static func isUnfinished(_ head: RawSpan) -> Bool
  /// Answers nil when there is no memory or the evidence is nested too deeply.
  init?(_ place: Place, limits: Limits)
}

extension InputKind {
  public static func isUnfinished(_ head: RawSpan) -> Bool { false }
}
