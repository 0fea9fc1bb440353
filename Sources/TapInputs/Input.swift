// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// Decodes one kind of evidence: chunks become packets or messages at the floor it can vouch for.
/// It does no I/O and throws nothing: damage is a finding, and what was read before it is kept.
public protocol Input {
  /// The next bytes of the file, in order; lent for the call. Cut anywhere.
  mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink)
  /// The same, when somebody has looked for lines in it: of use where it is a log.
  mutating func receive(_ chunk: RawSpan, _ survey: LogSurvey, _ sink: any EvidenceSink)
  /// No more will come: a cut tail is told here.
  mutating func finish(_ sink: any EvidenceSink)
  /// Where the first of what waits for more lines begins, though it could be told without them; nil
  /// where nothing does.
  var waiting: UInt64? { get }
  /// Nothing has come for a while that it waited for: that is decided on what has come.
  mutating func settle(_ sink: any EvidenceSink)
  /// It is known to be packets, and nothing else.
  var isCapture: Bool { get }
}

extension Input {
  public mutating func receive(_ chunk: RawSpan, _ survey: LogSurvey, _ sink: any EvidenceSink) {
    receive(chunk, sink)
  }

  public var waiting: UInt64? { nil }
  public mutating func settle(_ sink: any EvidenceSink) {}
  public var isCapture: Bool { false }
}

/// A kind of evidence that is recognised by its first bytes.
protocol InputKind: Input, SendableMetatype {
  /// What `--input` calls it.
  static var name: StaticString { get }
  /// Whether a file that begins with `head` is of this kind. Yes and no are said only where no
  /// byte that follows could change it: files come cut anywhere.
  ///
  /// - Parameter isAll: nothing follows `head`.
  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim
  /// Answers nil when there is no memory or the evidence is nested too deeply.
  init?(_ place: Place, limits: Limits)
}

enum InputClaim {
  case no
  /// Show me more.
  case undecided
  case yes
}
