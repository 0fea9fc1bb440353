// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// Decodes one kind of evidence: turns chunks into packets, streams or messages. It does no I/O and
/// throws nothing: damage is a finding, and what was read before it is kept.
public protocol Input {
  /// The next bytes of the file, in order; lent for the call. Cut anywhere.
  mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink)
  /// The same, with the survey that was made of the chunk.
  mutating func receive(
    _ chunk: RawSpan, _ survey: any ChunkSurvey, _ sink: any EvidenceSink)
  /// No more will come: a cut-off end is reported here.
  mutating func finish(_ sink: any EvidenceSink)
  /// Offset of the first text that could be reported already but waits, as more lines may change
  /// it; nil when nothing waits.
  var waiting: UInt64? { get }
  /// No more has come for a while: decide now, on what has come.
  mutating func settle(_ sink: any EvidenceSink)
  /// It is certain to consist of packets.
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
