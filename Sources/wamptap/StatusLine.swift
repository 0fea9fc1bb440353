// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// How a run goes, in one line, reported when a signal asks for it.
enum StatusLine {
  /// - Parameters:
  ///   - start: when it began, by the monotonic clock.
  ///   - read: bytes that were read; nil where no file is read.
  ///   - total: bytes of all evidence; nil when not known.
  static func text(
    _ summary: Summary, since start: UInt64, read: UInt64? = nil, of total: UInt64? = nil
  ) -> String {
    var parts: [String] = []
    let seconds = (Clock.now() - start) / 1_000_000_000
    let messages = counted(summary.messages, "message")
    parts.append(
      "after \(Progress.duration(seconds)): \(messages) in"
        + " \(counted(summary.connections, "connection"))")
    if let read {
      let all = total.map { " of \(Progress.size(Double(max($0, read))))" } ?? ""
      parts.append("read \(Progress.size(Double(read)))\(all)")
    }
    for capture in summary.captures {
      parts.append(
        "\(capture.interface): \(counted(capture.captured, "packet")) captured,"
          + " dropped \(capture.droppedByKernel) by the kernel,"
          + " \(capture.droppedByInterface) by the interface,"
          + " \(capture.droppedByProgram) by wamptap")
    }
    let undecodable = summary[.incomplete] + summary[.skipped] + summary[.unread]
    parts.append("\(counted(undecodable, "byte")) undecodable")
    if summary.evicted > 0 { parts.append("\(summary.evicted) forgotten for the limits") }
    let findings = summary.errors + summary.warnings
    if findings > 0 { parts.append(counted(findings, "finding")) }
    return parts.joined(separator: "; ")
  }
}
