// SPDX-License-Identifier: Apache-2.0
public import TapTraffic
public import TapBytes
public struct LineRenderer {
  public init() {}
  public func render(
    _ m: Message, _ subject: RawSpan, _ latency: Int64, _ b: RawSpan, into t: inout TextBuffer
  ) {
    t.append(decimal: Int(m.origin.time.nanoseconds));
    t.append(m.origin.direction == .toServer ? " → " : " ← ")
    t.append(m.name); t.append(" request "); t.append(decimal: Int(m.link.key)); t.append(" · ")
    t.append(subject); t.append(" · ")
    t.append(b.extracting(m.payload));
    if latency >= 0 { t.append("  "); t.append(decimal: Int(latency)); t.append(" ms") }
    t.append("\n")
  }
  public func render(_ f: Finding, into t: inout TextBuffer) {
    t.append(f.code.text); t.append("\n")
  }
}
