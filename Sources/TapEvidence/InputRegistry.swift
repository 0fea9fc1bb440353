// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// The kinds of evidence there are, as an input sees them that has other evidence inside.
public protocol InputRegistry: SendableMetatype {
  /// What evidence is, by its first bytes.
  ///
  /// - Parameter isAll: nothing follows `head`.
  static func recognise(
    _ head: RawSpan, isAll: Bool, _ place: Place, _ limits: Limits
  ) -> InputRecognition
  /// What evidence is of which no more has come for a while: its whole lines are taken for all of
  /// it. The beginning of anything else, and half a line, are shown more.
  static func recognise(
    linesOf head: RawSpan, _ place: Place, _ limits: Limits
  ) -> InputRecognition
  /// The decoder of a file or a message that a text stands for; nil when it stands for neither.
  static func file(_ head: RawSpan, _ place: Place, _ limits: Limits) -> (any Input)?
  /// The decoder of text that no other kind claims.
  static func text(_ place: Place, _ limits: Limits) -> any Input
}
