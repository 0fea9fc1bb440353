// SPDX-License-Identifier: Apache-2.0
public import TapEvidence
public import TapTraffic

/// What ngrep prints: the payload of each packet, as text or in digits (`-x`), below a line that
/// says who sent it.
public struct NgrepInput: InputKind {
  public static let name: StaticString = "ngrep"

  private var lines: PayloadLines

  public init(_ place: Place, limits: Limits) { lines = PayloadLines(.ngrep, place, limits) }

  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    PayloadLines.claim(head, of: .ngrep, isAll: isAll)
  }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    lines.receive(chunk, sink)
  }

  public mutating func finish(_ sink: any EvidenceSink) { lines.finish(sink) }
}

/// What `tcpflow -c` prints: the payload of each packet, as text or in digits (`-D`), behind a word
/// that says who sent it.
public struct TcpflowInput: InputKind {
  public static let name: StaticString = "tcpflow"

  private var lines: PayloadLines

  public init(_ place: Place, limits: Limits) { lines = PayloadLines(.tcpflow, place, limits) }

  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    PayloadLines.claim(head, of: .tcpflow, isAll: isAll)
  }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    lines.receive(chunk, sink)
  }

  public mutating func finish(_ sink: any EvidenceSink) { lines.finish(sink) }
}
