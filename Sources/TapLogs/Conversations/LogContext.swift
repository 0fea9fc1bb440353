// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Text around messages that has to wait, as messages that stand before it do.
struct LogContext {
  private var waiting: ContiguousArray<(words: [UInt8], line: ContextLine)> = []
  /// How many bytes wait.
  private(set) var octets = 0

  mutating func keep(_ words: RawSpan, _ line: ContextLine) {
    waiting.append((words.copied(), line))
    octets += words.byteCount
  }

  /// Tells what stands before an offset, or all.
  mutating func pass(before offset: UInt64 = .max, _ sink: any EvidenceSink) {
    if waiting.isEmpty { return }
    let end = waiting.firstIndex { $0.line.origin.offset >= offset } ?? waiting.count
    for (words, line) in waiting[..<end] {
      sink.context(words.span.bytes, line)
      octets -= words.count
    }
    waiting.removeSubrange(..<end)
  }
}
