// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The source that a traceback of Python shows below a frame, further in: no log.
///
///       File "/srv/app.py", line 133, in handle
///         data = a["data"]
enum TracebackSource {
  /// How far in source begins at most, behind what a collector puts before lines.
  private static let furthest = 160

  /// Whether a line may be one, before the line above is looked at.
  static func mayBe(_ line: RawSpan) -> Bool {
    line.extracting(0..<min(line.byteCount, furthest)).contains("    ")
  }

  static func isSource(_ line: RawSpan, below frame: RawSpan) -> Bool {
    guard let at = LogMarks.last(#"  File ""#, in: frame),
      LogMarks.last(#"", line "#, in: frame) != nil, line.byteCount > at + 4
    else { return false }
    return (at..<at + 4).allSatisfy { line.byte(at: $0) == .space }
  }
}
