// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// Decodes one kind of evidence: chunks become packets, streams or messages, whichever it can vouch
/// for. It does no I/O and throws nothing: damage is a finding; what was read before it is kept.
public protocol Input {
  /// The next bytes of the file, in order; lent for the call. Cut anywhere.
  mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink)
  /// The same, of a chunk that was looked at before.
  mutating func receive(
    _ chunk: RawSpan, _ survey: any ChunkSurvey, _ sink: any EvidenceSink)
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
  public mutating func receive(
    _ chunk: RawSpan, _ survey: any ChunkSurvey, _ sink: any EvidenceSink
  ) {
    receive(chunk, sink)
  }

  public var waiting: UInt64? { nil }
  public mutating func settle(_ sink: any EvidenceSink) {}
  public var isCapture: Bool { false }
}
