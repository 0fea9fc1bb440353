// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// All kinds of evidence, for inputs that contain other evidence.
public protocol InputRegistry: SendableMetatype {
  /// Recognises the kind of evidence by its first bytes.
  ///
  /// - Parameter isAll: `head` is all of it.
  static func recognise(
    _ head: RawSpan, isAll: Bool, _ place: Place, _ limits: Limits
  ) -> InputRecognition
  /// Recognises evidence of which no more has come for a while, as if its whole lines were all of
  /// it. `needMore` where `head` ends in half a line, or begins something that only more bytes can
  /// decide.
  static func recognise(
    linesOf head: RawSpan, _ place: Place, _ limits: Limits
  ) -> InputRecognition
  /// The decoder of a file or a message that is encoded as text; nil when the text encodes neither.
  static func file(_ head: RawSpan, _ place: Place, _ limits: Limits) -> (any Input)?
  /// The decoder of text that no other kind claims.
  static func text(_ place: Place, _ limits: Limits) -> any Input
}
